"""Prints the records of GroupLog logs as `grouplog-dump records --json` does: one JSON object a line.

    python3 records.py LOG...

The spelling of values is that of FORMAT.md, "Values as JSON", the members are those of the tool's help. With several
logs a line with `#` and the path stands before the lines of each. Two things are not here, since the format does not say
them: the words of `valueFault`, and what can be seen of the records of a frame that is lost as a whole, which has one
line with the state "lost frame".
"""

import base64
import json
import math
import struct
import sys
import uuid
from datetime import datetime, timedelta
from decimal import Decimal, localcontext

import grouplog
from grouplog import Log, Refused, is_text

KINDS = {1: "put", 2: "delete", 3: "sync state", 4: "cursor", 5: "metadata"}
KEY_TYPES = {1: "text", 2: "uuid", 3: "integer", 4: "bytes"}
DEEPEST = 512


class Tag:
    def __init__(self, number, item):
        self.number, self.item = number, item


class Float:
    def __init__(self, data):
        self.data, self.value = data, struct.unpack({2: ">e", 4: ">f", 8: ">d"}[len(data)], data)[0]


class Simple(int):
    pass


class Map(list):
    """Pairs of key and value."""


class NotCBOR(Exception):
    pass


class CBOR:
    """One item, whole. [Values], RFC 8949"""

    def __init__(self, data):
        self.data, self.place = data, 0

    @classmethod
    def decode(cls, data):
        reader = cls(data)
        item = reader.item(1)
        if reader.place != len(data):
            raise NotCBOR("bytes behind the item")
        return item

    def take(self, count):
        if count > len(self.data) - self.place:
            raise NotCBOR("cut")
        self.place += count
        return self.data[self.place - count:self.place]

    def head(self):
        first = self.take(1)[0]
        major, info = first >> 5, first & 31
        if info < 24:
            return major, info, info
        if info < 28:
            return major, info, int.from_bytes(self.take(1 << info - 24), "big")
        if info < 31 or major in (0, 1, 6):
            raise NotCBOR("reserved")
        return major, info, None

    def at_break(self):
        if self.data[self.place:self.place + 1] == b"\xFF":
            self.place += 1
            return True
        return False

    def item(self, depth):
        major, info, number = self.head()
        if depth > DEEPEST and (major == 6 or major in (4, 5) and number != 0):
            raise NotCBOR("too deep")
        if major == 0:
            return number
        if major == 1:
            return -1 - number
        if major in (2, 3):
            return self.string(major, number)
        if major == 4:
            return [self.item(depth + 1) for _ in self.counted(number)]
        if major == 5:
            return Map((self.item(depth + 1), self.item(depth + 1)) for _ in self.counted(number))
        if major == 6:
            return Tag(number, self.item(depth + 1))
        if info in (25, 26, 27):
            return Float(number.to_bytes(1 << info - 24, "big"))
        if number is None or info == 24 and number < 32:
            raise NotCBOR("no item")
        return Simple(number)

    def counted(self, number):
        if number is None:
            while not self.at_break():
                yield
        else:
            for _ in range(number):
                yield

    def string(self, major, number):
        pieces = []
        if number is not None:
            pieces.append(self.take(number))
        else:
            while not self.at_break():
                kind, _, length = self.head()
                if kind != major or length is None:
                    raise NotCBOR("no piece of a string")
                pieces.append(self.take(length))
        if major == 2:
            return b"".join(pieces)
        if not all(is_text(piece) for piece in pieces):
            raise NotCBOR("text that is no UTF-8")
        return b"".join(pieces).decode()


# MARK: Values as JSON


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def wrapped(name, spelled):
    return f'{{"{name}":{spelled}}}'


def number(value):
    text = repr(value)
    if abs(value) <= 2.0 ** 53 or "e" in text:
        return text
    # Python goes on without an exponent up to 1e16.
    whole = text.lstrip("-").partition(".")[0]
    sign = "-" if value < 0 else ""
    return f"{sign}{whole[0]}.{whole[1:].rstrip('0') or '0'}e+{len(whole) - 1}".replace(".0e", "e")


def odd(value, data, usual):
    if math.isnan(value):
        return quoted("NaN" if data.hex() == usual else "nan:" + data.hex())
    if math.isinf(value):
        return quoted("Infinity" if value > 0 else "-Infinity")
    return quoted(number(value))


def spelled_float(item):
    if len(item.data) == 2:
        return wrapped("$float16", quoted(item.data.hex()))
    name, usual = ("$float32", "7fc00000") if len(item.data) == 4 else ("$float", "7ff8000000000000")
    if not math.isfinite(item.value):
        return wrapped(name, odd(item.value, item.data, usual))
    return wrapped(name, number(item.value)) if name == "$float32" else number(item.value)


def date_of(seconds_since_2001):
    """[Values as JSON], the date; nothing outside of the years that Python knows, or where no text can carry it."""
    value = seconds_since_2001
    if not abs(value) < 2.0 ** 53 or value == 0 and math.copysign(1, value) < 0:
        return None
    return date(Decimal(repr(value)))


def date(exact):
    whole = math.floor(exact)
    with localcontext() as context:
        # Of the smallest double the last digit is the 324th behind the point, and all before it count.
        context.prec = 400
        fraction = format(exact - whole, "f").partition(".")[2].rstrip("0")
    days, second = divmod(whole, 86_400)
    # The calendar repeats after 400 years of 146,097 days.
    cycles, days = divmod(days, 146_097)
    day = datetime(2001, 1, 1) + timedelta(days=days)
    year = day.year + 400 * cycles
    years = f"{year:04}" if 0 <= year <= 9999 else f"{'-' if year < 0 else '+'}{abs(year):06}"
    clock = f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"
    return f"{years}-{day.month:02}-{day.day:02}T{clock}{'.' + fraction if fraction else ''}Z"


def spelled(item):
    if item is None or isinstance(item, str):
        return "null" if item is None else quoted(item)
    if isinstance(item, Simple):
        return {20: "false", 21: "true", 22: "null", 23: wrapped("$undefined", "true")}.get(
            item, wrapped("$simple", int(item)))
    if isinstance(item, int):
        return str(item)
    if isinstance(item, bytes):
        return wrapped("$bytes", quoted(base64.b64encode(item).decode()))
    if isinstance(item, Float):
        return spelled_float(item)
    if isinstance(item, Tag):
        return spelled_tag(item.number, item.item)
    if not isinstance(item, Map):
        return "[" + ",".join(map(spelled, item)) + "]"
    names = [key for key, _ in item]
    if all(isinstance(name, str) for name in names) and len(set(names)) == len(names) and not (
            len(names) == 1 and names[0].startswith("$")):
        return "{" + ",".join(f"{quoted(name)}:{spelled(value)}" for name, value in item) + "}"
    return wrapped("$map", "[" + ",".join(f"[{spelled(key)},{spelled(value)}]" for key, value in item) + "]")


def spelled_tag(tag, item):
    if tag == 37 and isinstance(item, bytes) and len(item) == 16:
        return wrapped("$uuid", quoted(str(uuid.UUID(bytes=item))))
    if tag == 44225 and isinstance(item, Float) and len(item.data) == 8:
        text = date_of(item.value)
        return wrapped("$date", quoted(text) if text else wrapped(
            "$float", odd(item.value, item.data, "7ff8000000000000")))
    if tag in (2, 3) and isinstance(item, bytes) and 9 <= len(item) <= 16 and item[0]:
        big = int.from_bytes(item, "big")
        if tag == 2:
            return str(big)
        if big < 1 << 127:
            return str(-1 - big)
    return wrapped("$tag", f"[{tag},{spelled(item)}]")


# MARK: Lines


def spelled_key(record):
    if record.key_type not in KEY_TYPES or not record.has_good_key():
        return "null"
    if record.key_type == grouplog.TEXT:
        return quoted(record.key.decode())
    if record.key_type == grouplog.UUID:
        return quoted(str(uuid.UUID(bytes=record.key)))
    if record.key_type == grouplog.INTEGER:
        return str(int.from_bytes(record.key, "big") - (1 << 63))
    return spelled(record.key)


def spelled_value(record, names):
    """The members `value`, `valueBytes` and `valueFault`, the last without its words."""
    if not record.value:
        return "null" + (',"valueFault"' if record.kind == grouplog.PUT else "")
    try:
        item = CBOR.decode(record.value)
    except NotCBOR:
        fault = record.kind in (grouplog.PUT, grouplog.SYNC_STATE, grouplog.CURSOR)
        return 'null,"valueBytes":' + spelled(record.value) + (',"valueFault"' if fault else "")
    if record.flags & 1:
        if not isinstance(item, Map):
            return spelled(item) + ',"valueFault"'
        known = [type(key) is int and 0 <= key < len(names) for key, _ in item]
        named = Map((names[key] if good else key, value) for good, (key, value) in zip(known, item))
        return spelled(named) + ("" if all(known) else ',"valueFault"')
    fault = record.kind == grouplog.SYNC_STATE and not is_sync_state(item)
    fault = fault or record.kind == grouplog.CURSOR and not is_cursor(item)
    return spelled(item) + (',"valueFault"' if fault else "")


def is_time(item):
    return type(item) is int and -(1 << 63) <= item < 1 << 63


def is_unsigned(item, bits):
    return type(item) is int and 0 <= item < 1 << bits


def content(item):
    return dict((key, value) for key, value in item if type(key) is int) if isinstance(item, Map) else {}


def is_sync_state(item):  # [Sync state]
    item = content(item)
    claim, reason = item.get(4, Simple(22)), item.get(5, Simple(22))
    return (is_unsigned(item.get(0), 64) and is_unsigned(item.get(1), 64) and item[1] <= 2
            and is_unsigned(item.get(2), 32) and is_time(item.get(3))
            and (isinstance(reason, str) or reason == Simple(22) and isinstance(reason, Simple))
            and (isinstance(claim, Simple) and claim == 22 or type(claim) is list and len(claim) == 2
                 and isinstance(claim[0], str) and is_time(claim[1])))


def is_cursor(item):  # [Cursor]
    item = content(item)
    return (is_unsigned(item.get(0), 64) and is_unsigned(item.get(1), 32) and is_time(item.get(2))
            and isinstance(item.get(3), Simple) and item[3] in (20, 21))


def line(state, start, end, frame=None, record=None):
    members = {name: "null" for name in (
        "frame", "kind", "flags", "collection", "keyType", "key", "sequence", "creation", "time", "date", "author")}
    members["flags"] = "0"
    value = "null"
    if frame:
        members["frame"] = str(frame.offset)
    if record:
        names = frame.head.names if frame.head else []
        members["kind"] = quoted(KINDS.get(record.kind, f"kind {record.kind}"))
        members["flags"] = str(record.flags)
        if record.collection < len(names):
            members["collection"] = quoted(names[record.collection])
        members["keyType"] = quoted(KEY_TYPES.get(record.key_type, f"type {record.key_type}"))
        members["key"] = spelled_key(record)
        origin = record.origin(frame)
        if origin:
            sequence, time, author, creation = origin
            members.update(sequence=str(sequence), creation=str(creation), time=str(time), date=quoted(date(
                Decimal(time - 978_307_200_000_000) / 1_000_000)))
            if author is not None and author < len(names):
                members["author"] = quoted(names[author])
        value = spelled_value(record, names)
    rest = ",".join(f'"{name}":{text}' for name, text in members.items())
    return f'{{"offset":{start},"length":{end - start},"state":"{state}",{rest},"value":{value}}}'


def lines(log):
    for part in log.walk():
        known = part.record or part.state == "bad record"
        yield line(part.state, part.start, part.end, part.frame if known else None, part.record)


def main(paths):
    sys.setrecursionlimit(10_000)
    status = 0
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        if len(paths) > 1:
            sys.stdout.buffer.write(b"# " + path.encode() + b"\n")
        try:
            for text in lines(Log(data)):
                sys.stdout.buffer.write(text.encode() + b"\n")
        except Refused as reason:
            print(f"records.py: cannot read '{path}': {reason}", file=sys.stderr)
            status = 65
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
