"""Families of circuits: each function returns a circuit and its bad state; safe says whether it can be reached, None
that only the checkers know."""
import random
from collections import namedtuple

from circuit import Circuit

Task = namedtuple("Task", "name safe build")


def counter(bits, limit, target):
    """Counts while an input says so, from `limit` on again from 0; bad at `target`."""
    c = Circuit()
    go, word = c.input(), c.latches(bits)
    after = c.choose_word(c.equals(word, limit), c.number(0, bits), c.increment(word))
    c.set_word(word, c.choose_word(go, after, word))
    return c, c.equals(word, target)


def token_ring(stations, buggy):
    """A token goes around; the station that has it may enter.  Bad: two are inside.  The bug: a token that is passed
    on while its owner enters stays."""
    c = Circuit()
    started, token, inside = c.latch(), c.latches(stations), c.latches(stations)
    enter, leave, pass_on = c.inputs(stations), c.inputs(stations), c.inputs(stations)
    c.set_next(started, 1)
    gives = [c.both(token[k], c.both(pass_on[k], inside[k] ^ 1 if buggy else c.both(inside[k] ^ 1, enter[k] ^ 1)))
             for k in range(stations)]
    for k in range(stations):
        stays = c.both(token[k], gives[k] ^ 1)
        if buggy and k == stations - 1:
            stays = c.either(stays, c.both(gives[k], enter[k]))
        c.set_next(token[k], c.either(c.either(stays, gives[k - 1]), started ^ 1 if k == 0 else 0))
        holds = c.both(token[k], gives[k] ^ 1) if not buggy else token[k]
        c.set_next(inside[k], c.choose(inside[k], leave[k] ^ 1, c.both(holds, enter[k])))
    return c, c.two_of(inside)


def fifo(bits, buggy):
    """Pointers and a count of a queue with 2^bits cells.  Bad: the count is not the distance of the pointers.  The
    bug: a push to a full queue is counted."""
    c = Circuit()
    push, pop = c.inputs(2)
    read, write, count = c.latches(bits), c.latches(bits), c.latches(bits + 1)
    full, empty = count[bits], c.equals(count, 0)
    pushes, pops = c.both(push, full ^ 1), c.both(pop, empty ^ 1)
    c.set_word(write, c.choose_word(pushes, c.increment(write), write))
    c.set_word(read, c.choose_word(pops, c.increment(read), read))
    more, less = c.increment(count), c.subtract(count, c.number(1, bits + 1))
    counted = c.both(push, c.both(full, pop) ^ 1) if buggy else pushes
    up, down = c.both(counted, pops ^ 1), c.both(pops, counted ^ 1)
    c.set_word(count, c.choose_word(up, more, c.choose_word(down, less, count)))
    return c, c.words_differ(c.subtract(write, read), count[:bits])


def fifo_data(bits, buggy):
    """A queue of single bits beside one value that is followed through it.  Bad: it comes out changed.  The bug: the
    last cell forgets when the queue is full."""
    c = Circuit()
    push, pop, data, follow = c.inputs(4)
    cells = 1 << bits
    memory, read, write, count = c.latches(cells), c.latches(bits), c.latches(bits), c.latches(bits + 1)
    following, place, value = c.latch(), c.latches(bits), c.latch()
    full, empty = count[bits], c.equals(count, 0)
    pushes, pops = c.both(push, full ^ 1), c.both(pop, empty ^ 1)
    for k in range(cells):
        kept = c.both(memory[k], full ^ 1) if buggy and k == cells - 1 else memory[k]
        c.set_next(memory[k], c.choose(c.both(pushes, c.equals(write, k)), data, kept))
    c.set_word(write, c.choose_word(pushes, c.increment(write), write))
    c.set_word(read, c.choose_word(pops, c.increment(read), read))
    up, down = c.both(pushes, pops ^ 1), c.both(pops, pushes ^ 1)
    c.set_word(count,
               c.choose_word(up, c.increment(count),
                             c.choose_word(down, c.subtract(count, c.number(1, bits + 1)), count)))
    starts = c.both(c.both(follow, pushes), following ^ 1)
    leaves = c.both(c.both(following, pops), c.words_differ(read, place) ^ 1)
    c.set_next(following, c.both(c.either(following, starts), leaves ^ 1))
    c.set_word(place, c.choose_word(starts, write, place))
    c.set_next(value, c.choose(starts, data, value))
    out = c.select(read, [[x] for x in memory])[0]
    return c, c.both(leaves, c.differ(out, value))


def arbiter(clients, buggy):
    """Round robin with a turn that is one hot; grants are kept while they are requested.  Bad: two grants.  The bug:
    a late request slips in beside the last client."""
    c = Circuit()
    started, turn, grant = c.latch(), c.latches(clients), c.latches(clients)
    request = c.inputs(clients)
    c.set_next(started, 1)
    busy = c.one_of([c.both(g, r) for g, r in zip(grant, request)])
    for k in range(clients):
        c.set_next(turn[k], c.either(c.choose(busy, turn[k], turn[k - 1]), started ^ 1 if k == 0 else 0))
        fresh = c.both(c.both(turn[k], request[k]), busy ^ 1)
        if buggy and k == 0:
            fresh = c.either(fresh, c.both(c.both(grant[clients - 1], turn[0]), request[0]))
        c.set_next(grant[k], c.either(c.both(grant[k], request[k]), fresh))
    return c, c.two_of(grant)


def pipeline(stages, width, buggy):
    """Two pipelines with valid bits and stalls, one of which computes early, the other late.  Bad: their results
    differ.  The bug: a stall while the last stage is full."""
    c = Circuit()
    stall, valid_in, data_in, key = c.input(), c.input(), c.inputs(width), c.inputs(width)
    mix = lambda word, with_key: c.add(word, with_key)
    valid, early, late, keys = c.latches(stages), [c.latches(width) for _ in range(stages)], [c.latches(width)
        for _ in range(stages)], [c.latches(width) for _ in range(stages)]
    previous = (valid_in, mix(data_in, key), data_in, key)
    for k in range(stages):
        c.set_next(valid[k], c.choose(stall, valid[k], previous[0]))
        c.set_word(early[k], c.choose_word(stall, early[k], previous[1]))
        stops = c.both(stall, valid[k] ^ 1) if buggy and k == stages - 1 else stall
        c.set_word(late[k], c.choose_word(stops, late[k], previous[2]))
        c.set_word(keys[k], c.choose_word(stall, keys[k], previous[3]))
        previous = (valid[k], early[k], late[k], keys[k])
    return c, c.both(valid[-1], c.words_differ(early[-1], mix(late[-1], keys[-1])))


def shift_registers(length, buggy):
    """The same bit goes through a shift register and through one with inverters.  Bad: the ends differ.  The bug:
    the last inverter sees the input while held."""
    c = Circuit()
    data, hold, started = c.input(), c.input(), c.latch()
    plain, odd = c.latches(length), c.latches(length)
    c.set_next(started, 1)
    for k in range(length):
        c.set_next(plain[k], c.both(started, c.choose(hold, plain[k], plain[k - 1] if k else data)))
        held = c.either(odd[k], c.both(data, plain[k - 1])) if buggy and k == length - 1 else odd[k]
        c.set_next(odd[k], c.choose(started, c.choose(hold, held, (odd[k - 1] if k else data) ^ 1), 1 - k % 2))
    return c, c.both(started, c.differ(plain[-1], odd[-1] ^ length % 2))


def lfsr(bits, taps, steps, target):
    """A shift register with linear feedback; a counter stops it after `steps` steps.  Bad: it is at `target` then,
    or all zero."""
    c = Circuit()
    go, started, word, count = c.input(), c.latch(), c.latches(bits), c.latches(max(1, steps.bit_length()))
    running = c.both(go, c.equals(count, steps) ^ 1)
    feedback = 0
    for k in taps:
        feedback = c.differ(feedback, word[k - 1])
    c.set_next(started, 1)
    moved = [feedback] + word[:-1]
    c.set_word(word,
               [c.either(x, started ^ 1 if k == 0 else 0) for k,
                x in enumerate(c.choose_word(c.both(running, started), moved, word))])
    c.set_word(count, c.choose_word(c.both(running, started), c.increment(count), count))
    bad = c.both(started,
                 c.equals(word, 0) if target is None else c.both(c.equals(word, target), c.equals(count, steps)))
    return c, bad


def lfsr_state(bits, taps, steps):
    word = 1
    for _ in range(steps):
        feedback = 0
        for k in taps:
            feedback ^= word >> k - 1 & 1
        word = (word << 1 | feedback) & (1 << bits) - 1
    return word


def gray_counter(bits, buggy):
    """A counter in Gray code beside a binary one.  Bad: they disagree.  The bug: the highest bit is one step late."""
    c = Circuit()
    go, binary, gray = c.input(), c.latches(bits), c.latches(bits)
    odd = 0
    for x in gray:
        odd = c.differ(odd, x)
    flips, below = [odd ^ 1], 1
    for k in range(1, bits):
        lower = c.both(below, gray[k - 1]) if k < bits - 1 else below
        flips.append(c.both(odd, lower))
        below = c.both(below, gray[k - 1] ^ 1)
    c.set_word(gray, [c.differ(x, c.both(go, flip)) for x, flip in zip(gray, flips)])
    c.set_word(binary, c.choose_word(go, c.increment(binary), binary))
    top = binary[-1]
    expected = [c.differ(binary[k], binary[k + 1]) for k in range(bits - 1)] + [top]
    if buggy:
        expected[-1] = c.both(top, c.equals(binary, 1 << bits - 1) ^ 1)
    return c, c.words_differ(gray, expected)


def peterson(threads, buggy):
    """The filter lock: n threads climb n - 1 floors, each with a victim.  Bad: two are at the top.  The bug: the
    last floor does not wait."""
    c = Circuit()
    bits = max(1, (threads - 1).bit_length())
    who, act = c.inputs(bits), c.input()
    floor = [c.latches(bits) for _ in range(threads)]
    waiting, victim = c.latches(threads), [c.latches(bits) for _ in range(threads)]
    at_least = lambda word, value: c.one_of([c.equals(word, v) for v in range(value, 1 << bits)])
    tops = [c.both(c.equals(f, threads - 1), w ^ 1) for f, w in zip(floor, waiting)]
    next_victim = victim
    for t in range(threads):
        moves = c.both(act, c.equals(who, t))
        starts = c.both(moves, c.both(waiting[t] ^ 1, tops[t] ^ 1))
        leaves = c.both(moves, tops[t])
        passes = 0
        for level in range(1, threads):
            alone = c.one_of([at_least(floor[u], level) for u in range(threads) if u != t]) ^ 1
            free = c.either(alone, c.equals(victim[level], t) ^ 1)
            if buggy and level == threads - 1:
                free = 1
            passes = c.either(passes, c.both(c.equals(floor[t], level), free))
        proceeds = c.both(moves, c.both(waiting[t], passes))
        up = c.increment(floor[t])
        c.set_word(floor[t], c.choose_word(leaves, c.number(0, bits), c.choose_word(starts, up, floor[t])))
        c.set_next(waiting[t], c.choose(starts, 1, c.both(waiting[t], proceeds ^ 1)))
        next_victim = [c.choose_word(c.both(starts, c.equals(up, level)), c.number(t, bits), word) for level,
                       word in enumerate(next_victim)]
    for word, value in zip(victim, next_victim):
        c.set_word(word, value)
    return c, c.two_of(tops)


def machines(count, bits, seed):
    """Random machines that see their neighbour and an input.  Bad: a random combination of their states."""
    c, r = Circuit(), random.Random(seed)
    signals = c.inputs(count)
    states = [c.latches(bits) for _ in range(count)]
    target = [r.randrange(1, 1 << bits) for _ in range(count)]
    for k in range(count):
        neighbour = states[k - 1][r.randrange(bits)]
        table = [[r.randrange(1 << bits) if r.random() < 0.7 else s for _ in range(4)] for s in range(1 << bits)]
        rows = [c.choose_word(signals[k], c.choose_word(neighbour, c.number(row[0], bits), c.number(row[1], bits)),
                              c.choose_word(neighbour, c.number(row[2], bits), c.number(row[3], bits)))
                              for row in table]
        c.set_word(states[k], c.select(states[k], rows))
    return c, c.all_of([c.equals(word, value) for word, value in zip(states, target)])


TAPS = {8: (8, 6, 5, 4), 12: (12, 6, 4, 1), 16: (16, 15, 13, 4), 24: (24, 23, 22, 17), 32: (32, 22, 2, 1)}


def tasks():
    def task(name, safe, build, *arguments):
        return Task(name, safe, lambda: build(*arguments))

    result = []
    for bits, limit in (6, 40), (8, 150), (10, 300), (16, 600), (32, 100):
        result.append(task(f"counter-{bits}-{limit}-safe", True, counter, bits, limit, limit + 2))
    for bits, target in (6, 30), (8, 90), (16, 150), (32, 60):
        result.append(task(f"counter-{bits}-{target}-buggy", False, counter, bits, (1 << bits) - 1, target))
    for n in 4, 8, 16, 24:
        result.append(task(f"token-ring-{n}-safe", True, token_ring, n, False))
    for n in 4, 8, 12:
        result.append(task(f"token-ring-{n}-buggy", False, token_ring, n, True))
    for n in 2, 3, 4, 5, 6:
        result.append(task(f"fifo-{n}-safe", True, fifo, n, False))
    for n in 2, 4, 5:
        result.append(task(f"fifo-{n}-buggy", False, fifo, n, True))
    for n in 1, 2, 3:
        result.append(task(f"fifo-data-{n}-safe", True, fifo_data, n, False))
    for n in 2, 3:
        result.append(task(f"fifo-data-{n}-buggy", False, fifo_data, n, True))
    for n in 4, 8, 16, 32:
        result.append(task(f"arbiter-{n}-safe", True, arbiter, n, False))
    for n in 4, 8, 16:
        result.append(task(f"arbiter-{n}-buggy", False, arbiter, n, True))
    for stages, width in (3, 2), (4, 4), (6, 4), (8, 6):
        result.append(task(f"pipeline-{stages}-{width}-safe", True, pipeline, stages, width, False))
    for stages, width in (4, 4), (12, 6):
        result.append(task(f"pipeline-{stages}-{width}-buggy", False, pipeline, stages, width, True))
    for n in 8, 32, 100:
        result.append(task(f"shift-{n}-safe", True, shift_registers, n, False))
    for n in 8, 24:
        result.append(task(f"shift-{n}-buggy", False, shift_registers, n, True))
    for bits in 8, 16, 32:
        result.append(task(f"lfsr-{bits}-zero", True, lfsr, bits, TAPS[bits], 200, None))
    for bits, steps in (8, 20), (16, 30), (24, 60):
        result.append(task(f"lfsr-{bits}-{steps}-safe", True, lfsr, bits, TAPS[bits], steps,
                           lfsr_state(bits, TAPS[bits], steps) ^ 3))
    for bits, steps in (12, 40), (24, 60), (32, 100):
        result.append(task(f"lfsr-{bits}-{steps}-buggy", False, lfsr, bits, TAPS[bits], steps,
                           lfsr_state(bits, TAPS[bits], steps)))
    for n in 4, 6, 8:
        result.append(task(f"gray-{n}-safe", True, gray_counter, n, False))
    result.append(task("gray-7-buggy", False, gray_counter, 7, True))
    for n in 2, 3, 4:
        result.append(task(f"peterson-{n}-safe", True, peterson, n, False))
    for n in 3, 4:
        result.append(task(f"peterson-{n}-buggy", False, peterson, n, True))
    for count, bits in (2, 3), (3, 3), (4, 3), (6, 3), (8, 3), (4, 4), (6, 4), (8, 4):
        result.append(task(f"machines-{count}-{bits}", None, machines, count, bits, count * 10 + bits))
    return result
