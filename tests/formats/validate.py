#!/usr/bin/env python3
"""Is the file what its format says?  Prints what is wrong with it, line by line; exit code 0: nothing.

    tests/formats/validate.py witness FILE
        SV-COMP witness, .graphml or YAML; by witness.schema.json and the rules behind it
    tests/formats/validate.py sarif SCHEMA FILE
        SARIF log, by the official schema, and by what code scanning asks for beyond it
"""
import hashlib
import json
import os
import sys
import xml.etree.ElementTree

import jsonschema
import yaml

HERE = os.path.dirname(os.path.abspath(__file__))


def schema_problems(schema, value):
    for error in jsonschema.validators.validator_for(schema)(schema).iter_errors(value):
        yield "%s: %s" % (error.json_path, error.message[:200])


# ---- witnesses -----------------------------------------------------------------------------------------------------

def yaml_problems(text):
    entries = yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))   # libyaml, where Python has it
    with open(os.path.join(HERE, "witness.schema.json"), encoding="utf8") as f:
        problems = list(schema_problems(json.load(f), entries))
    if problems:
        yield from problems
        return
    for entry in entries:
        task = entry["metadata"]["task"]
        if sorted(task["input_files"]) != sorted(task["input_file_hashes"]):
            yield "the hashes are not those of the input files"
        for name, hash_text in task["input_file_hashes"].items():
            with open(name, "rb") as f:
                if hashlib.sha256(f.read()).hexdigest() != hash_text:
                    yield "%s has another hash" % name
        yield from sequence_problems(entry["content"], task["input_files"])


def sequence_problems(segments, files):
    """Targets stand in the last segment, alone or side by side; threads are known before they take part; places
    exist."""
    threads = 1
    for number, segment in enumerate(segments, 1):
        waypoints = [w["waypoint"] for w in segment["segment"]]
        last = number == len(segments)
        for w in waypoints:
            if (w["type"] == "target") != last:
                yield "segment %d: a target belongs into the last segment, and nothing else does" % number
            if w["thread_id"] >= threads:
                yield "segment %d: thread %d has not been created" % (number, w["thread_id"])
            threads += w["type"] == "function_enter"
            yield from place_problems(w, files)
        if not last and len(waypoints) != 1:
            yield "segment %d: only the last one may have several waypoints to follow" % number


def place_problems(waypoint, files):
    place = waypoint["location"]
    if place["file_name"] not in files:
        yield "%s is no input file" % place["file_name"]
        return
    with open(place["file_name"], encoding="utf8", errors="replace") as f:
        lines = f.read().split("\n")
    if place["line"] > len(lines):
        yield "%s has no line %d" % (place["file_name"], place["line"])
    elif "column" in place:
        text = lines[place["line"] - 1]
        is_call = waypoint["type"] in ("function_enter", "function_return")
        if place["column"] > len(text) or (is_call and text[place["column"] - 1] != ")"):
            yield "%s:%d:%d is not where it should be: %s" % (place["file_name"], place["line"], place["column"], text)


GRAPH_DATA = {"witness-type", "sourcecodelang", "producer", "specification", "programfile", "programhash",
              "architecture", "creationtime"}


def graphml_problems(text):
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = xml.etree.ElementTree.fromstring(text)
    graph = root.find(space + "graph")
    keys = {key.get("id") for key in root.findall(space + "key")}

    def data(element):
        return {d.get("key"): d.text for d in element.findall(space + "data")}

    for element in graph.iter(space + "data"):
        if element.get("key") not in keys:
            yield "the key %s is not declared" % element.get("key")
    for missing in GRAPH_DATA - set(data(graph)):
        yield "the graph lacks %s" % missing
    with open(data(graph)["programfile"], "rb") as f:
        if hashlib.sha256(f.read()).hexdigest() != data(graph)["programhash"]:
            yield "another hash of the program"
    nodes = {node.get("id"): data(node) for node in graph.findall(space + "node")}
    edges = graph.findall(space + "edge")
    if sum(d.get("entry") == "true" for d in nodes.values()) != 1:
        yield "there should be one entry"
    violation = data(graph)["witness-type"] == "violation_witness"
    if sum(d.get("violation") == "true" for d in nodes.values()) != violation:
        yield "violation nodes and the type of the witness do not fit"
    alive, ended = set(), set()
    for edge in edges:
        if edge.get("source") not in nodes or edge.get("target") not in nodes:
            yield "an edge has no end"
        d = data(edge)
        created = d.get("createThread")
        if created in alive:
            yield "thread %s is created twice" % created
        alive |= {created} - {None}
        if d["threadId"] not in alive or d["threadId"] in ended:
            yield "thread %s is not alive" % d["threadId"]
        if "returnFromFunction" in d:
            ended.add(d["threadId"])
        if r"\result" in d.get("assumption", "") and "assumption.resultfunction" not in d:
            yield "whose result is assumed?"


def witness_problems(path):
    with open(path, encoding="utf8") as f:
        text = f.read()
    return graphml_problems(text) if path.endswith(".graphml") else yaml_problems(text)


# ---- SARIF ---------------------------------------------------------------------------------------------------------

# What https://docs.github.com/code-security documents for uploads.
MOST = {"rules": 25000, "results": 25000, "flow": 10000, "locations": 1000, "tags": 10}


def sarif_problems(schema_path, path):
    with open(schema_path, encoding="utf8") as f:
        schema = json.load(f)
    with open(path, encoding="utf8") as f:
        log = json.load(f)
    yield from schema_problems(schema, log)
    for run in log["runs"]:
        yield from run_problems(run)


def run_problems(run):
    rules = run["tool"]["driver"]["rules"]
    if len(rules) > MOST["rules"] or len(run["results"]) > MOST["results"]:
        yield "too many rules or results"
    for rule in rules:
        if not rule.get("help", {}).get("markdown") or len(rule["properties"]["tags"]) > MOST["tags"]:
            yield "rule %s: no help, or too many tags" % rule["id"]
    for number, result in enumerate(run["results"]):
        for problem in result_problems(run, result):
            yield "result %d: %s" % (number, problem)
    prints = [json.dumps(r.get("partialFingerprints")) for r in run["results"] if "partialFingerprints" in r]
    if len(set(prints)) != len(prints):
        yield "two results share a fingerprint"


def result_problems(run, result):
    if run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] != result["ruleId"]:
        yield "ruleIndex and ruleId do not fit"
    if not result["message"]["text"] or not result.get("locations"):
        yield "no message, or no place"
    if len(result.get("relatedLocations", [])) > MOST["locations"]:
        yield "too many related places"
    for place in result.get("locations", []) + result.get("relatedLocations", []):
        physical = place["physicalLocation"]
        artifact = run["artifacts"][physical["artifactLocation"]["index"]]["location"]
        if artifact["uri"] != physical["artifactLocation"]["uri"] or physical["region"]["startLine"] < 1:
            yield "a place does not fit its artifact"
    for flow in result.get("codeFlows", []):
        orders = [l["executionOrder"] for t in flow["threadFlows"] for l in t["locations"]]
        if len(orders) > MOST["flow"] or any(
                a["executionOrder"] > b["executionOrder"]
                for t in flow["threadFlows"] for a, b in zip(t["locations"], t["locations"][1:])):
            yield "too many steps, or not in order"


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "witness":
        problems = list(witness_problems(arguments[1]))
    elif len(arguments) == 3 and arguments[0] == "sarif":
        problems = list(sarif_problems(arguments[1], arguments[2]))
    else:
        sys.exit(__doc__)
    for problem in problems:
        print("%s: %s" % (arguments[-1], problem))
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
