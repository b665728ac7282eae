"""Damage to a file: bits, bytes, chunks, lines, numbers, words, and values of JSON.  The same seed does the same
damage."""
import copy
import json
import random
import re

NUMBERS = ["0", "1", "-1", "2", "7", "127", "128", "255", "256", "65535", "65536", "1000000", "2147483647",
           "2147483648", "-2147483648",
           "4294967295", "4294967296", "9223372036854775807", "9223372036854775808", "18446744073709551615",
           "18446744073709551616",
           "99999999999999999999999999", "1e308", "0x7fffffffffffffff", "00", "1.5"]
LEAVES = [None, True, False, 0, -1, 1, 2**31, 2**32 - 1, 2**63 - 1, -2**63, 2**64, 1e308, "", "x", "\u0000", "/", "..",
          "-", "@", "%s%n", "x" * 5000,
          [], {}, [[]], [None], {"": ""}]


def span(rng, text, most=64):
    if not text:
        return 0, 0
    start = rng.randrange(len(text))
    return start, min(len(text), start + rng.choice([1, 2, 4, 8, rng.randint(1, most), rng.randint(1, len(text))]))


def flip_bits(rng, text):
    damaged = bytearray(text)
    for _ in range(rng.choice([1, 1, 2, 4, 8]) if text else 0):
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
    return bytes(damaged)


def set_bytes(rng, text):
    start, end = span(rng, text, 8)
    return text[:start] + bytes(rng.choice([0, 255, 10, 32, rng.randrange(256)])
                                for _ in range(end - start))[:64] + text[end:]


def truncate(rng, text):
    return text[:rng.randint(0, len(text))]


def delete(rng, text):
    start, end = span(rng, text)
    return text[:start] + text[end:]


def duplicate(rng, text):
    start, end = span(rng, text)
    return text[:end] + text[start:end] * rng.choice([1, 1, 2, 50]) + text[end:]


def move(rng, text):
    start, end = span(rng, text)
    rest = text[:start] + text[end:]
    at = rng.randint(0, len(rest))
    return rest[:at] + text[start:end] + rest[at:]


def insert(rng, text):
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice([b"\0", b"(" * 300, b"\n", b"%s%n", b"\"", b"-1", b"\xff\xfe", b"{" * 2000,
                                   b"[" * 5000, b"x" * 70000]) + text[at:]


def replace_match(rng, text, pattern, choices):
    found = list(re.finditer(pattern, text))
    if not found:
        return flip_bits(rng, text)
    match = rng.choice(found)
    return text[:match.start()] + rng.choice(choices(found)) + text[match.end():]


def change_number(rng, text):
    return replace_match(rng, text, rb"-?\b\d+\b", lambda _: [number.encode() for number in NUMBERS])


def swap_words(rng, text):
    return replace_match(rng, text, rb"[A-Za-z_%@!.][\w.]*|[^\w\s]+",
                         lambda found: [match[0] for match in found[:2000]])


def change_lines(rng, text):
    lines = text.split(b"\n")
    i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(4)
    if how == 0:
        del lines[i]
    elif how == 1:
        lines.insert(j, lines[i])
    elif how == 2:
        lines[i], lines[j] = lines[j], lines[i]
    else:
        lines[i:i + 1] = [lines[i]] * 200
    return b"\n".join(lines)


BYTES = [flip_bits, flip_bits, set_bytes, truncate, delete, duplicate, move, insert]
TEXT = [change_number, change_number, change_number, swap_words, swap_words, swap_words, change_lines, change_lines,
        delete, duplicate, move, insert,
        truncate, flip_bits]


def mutate_bytes(rng, text):
    if rng.random() < 0.4:
        return flip_bits(rng, text)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        text = rng.choice(BYTES)(rng, text)
    return text


GENTLE = [change_number, change_number, swap_words]
TAIL = 2000


def mutate_text(rng, text):
    """Half of them have one small change, so that more than the parser sees them; often near the end, behind the
    headers of a preprocessed source."""
    head, text = (text[:-TAIL], text[-TAIL:]) if rng.random() < 0.6 else (b"", text)
    if rng.random() < 0.5:
        return head + rng.choice(GENTLE)(rng, text)
    for _ in range(rng.choice([1, 1, 2, 3, 5])):
        text = rng.choice(TEXT)(rng, text)
    return head + text


def places(value):
    """(container, key) of all values in it."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in list(pairs):
        yield value, key
        yield from places(inner)


def mutate_json(rng, text):
    """Often a value of the object, so that the damage is found by what reads it and not by the parser."""
    if rng.random() < 0.25:
        return mutate_text(rng, text)
    value = json.loads(text)
    for _ in range(rng.choice([1, 1, 2, 4])):
        all_places = list(places(value))
        if not all_places:
            break
        container, key = rng.choice(all_places)
        how = rng.randrange(5)
        if how == 0:
            del container[key]
        elif how == 1:
            other, other_key = rng.choice(all_places)
            try:
                container[key] = json.loads(json.dumps(other[other_key]))
            except (KeyError, IndexError):
                pass
        elif how == 2 and isinstance(container, list):
            container.extend([container[key]] * rng.choice([1, 3, 300]))
        else:
            container[key] = copy.deepcopy(rng.choice(LEAVES))
    return json.dumps(value).encode()


def mutant(kind, seed, text):
    """`kind`: bytes, text or json."""
    return {"bytes": mutate_bytes, "text": mutate_text, "json": mutate_json}[kind](random.Random(f"{kind} {seed}"),
        text)
