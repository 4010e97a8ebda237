"""Reads a GroupLog log: written from FORMAT.md alone, to show that it says all that a reader has to know.

Sections of FORMAT.md are named in brackets. Whoever changes the format changes FORMAT.md first, then this file from
FORMAT.md, without a look at the Swift sources: where the two readers then differ, the document has a gap.
"""

from struct import unpack_from

NONE, MARKER = 0xFFFF, b"\xF1\x47"
FIRST_FRAME = 4160
LONGEST_FRAME = 67_108_864
LONGEST_INDEPENDENT = 65_536
LONGEST_RECORD = 33_554_432
INDEPENDENT, COMPACTED, MARK, QUIET, CLOSING = 1, 2, 4, 8, 16
PUT, DELETE, SYNC_STATE, CURSOR, METADATA = 1, 2, 3, 4, 5
TEXT, UUID, INTEGER, BYTES = 1, 2, 3, 4


def _table():
    for number in range(256):
        for _ in range(8):
            number = number >> 1 ^ (0x82F63B78 if number & 1 else 0)
        yield number


TABLE = tuple(_table())


def crc32c(data, crc=0):  # [Checksums]
    crc ^= 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def seed_before(data, crc):
    """The checksum from which these bytes lead to this one. [The end of the log]"""
    crc ^= 0xFFFFFFFF
    for byte in reversed(data):
        for _ in range(8):
            crc = (crc ^ 0x82F63B78) << 1 & 0xFFFFFFFF | 1 if crc >> 31 else crc << 1
        crc ^= byte
    return crc ^ 0xFFFFFFFF


class Refused(Exception):
    """A file that is no log, or none that this reader may read."""


class Frame:
    """A frame's place, and what its header or the copy in its spare says. [Frame]"""

    def __init__(self, data, offset, header_at):
        self.offset = offset
        self.marker, self.flags, self.length, self.sequence, self.time = unpack_from("<2sHIQq", data, header_at)
        self.end = offset + self.length
        self.head = None

    def fits(self):
        """Whether the fields are such as a frame may have."""
        return (self.marker == MARKER and self.length % 8 == 0 and 56 <= self.length <= LONGEST_FRAME
                and self.sequence < 1 << 63)


class Head:
    """[Payload head]"""

    def __init__(self, count, author, size, names):
        self.count, self.author, self.size, self.names = count, author, size, names

    def name(self, index):
        return self.names[index] if index is not None and index < len(self.names) else None


class Record:
    """A record's parts, from which nothing follows about its checksum. [Record]"""

    def __init__(self, data, start, end):
        self.start = start
        (self.kind, self.flags, self.collection, self.key_type, provenance, key, self.distance, value, self.checksum
         ) = unpack_from("<BBHBBHIII", data, start)
        self.provenance_at = start + 20
        self.key_at = self.provenance_at + provenance
        self.value_at = self.key_at + key
        self.end = self.value_at + value
        self.key = data[self.key_at:self.value_at]
        self.value = data[self.value_at:self.end]
        self.provenance = data[self.provenance_at:self.key_at]
        self.fits = self.end <= end and 1 <= key <= 1024 and self.end - start <= LONGEST_RECORD

    def has_good_key(self):  # [Keys]
        if self.key_type == TEXT:
            return is_text(self.key)
        return len(self.key) == {UUID: 16, INTEGER: 8}.get(self.key_type, len(self.key))

    def origin(self, frame):
        """Sequence, time, index of the author and creation, or nothing where they do not decode. [Provenance]"""
        if not self.provenance:
            return frame.sequence, frame.time, frame.head.author if frame.head else None, frame.sequence
        numbers, number, shift = [], 0, 0
        for byte in self.provenance:
            number |= (byte & 0x7F) << shift
            shift += 7
            if shift > 70 or number >> 64:
                return None
            if byte < 0x80:
                numbers.append(number)
                number, shift = 0, 0
        if len(numbers) not in (4, 5) or shift:
            return None
        age, time, author, life = numbers[:4]
        sequence = frame.sequence - age
        if sequence < 0 or sequence - life < 0 or author > 65_534:
            return None
        time = (frame.time + (time >> 1 ^ -(time & 1)) + (1 << 63)) % (1 << 64) - (1 << 63)
        return sequence, time, author - 1 if author else None, sequence - life


def is_text(data):
    try:
        data.decode("utf-8")
        return True
    except UnicodeDecodeError:
        return False


class Part:
    """What the walk found: "good" and a record, or a cause of damage and the bytes that it is about; "lost frame" is a
    bad payload that is the whole frame's."""

    def __init__(self, state, start, end, frame=None, record=None):
        self.state, self.start, self.end, self.frame, self.record = state, start, end, frame, record


class Log:
    def __init__(self, data):
        self.data = data
        self.salt = self.chosen_salt()

    def chosen_salt(self):  # [Log header]
        salts = []
        for at in (0, 4096):
            copy = self.data[at:at + 64]
            if len(copy) < 64 or copy[:8] != b"\x89GLOG\r\n\x1a" or crc32c(copy[:60]) != unpack_from("<I", copy, 60)[0]:
                continue
            major, minor = unpack_from("<HH", copy, 8)
            required, = unpack_from("<I", copy, 52)
            generation, = unpack_from("<Q", copy, 32)
            if major != 0 or required != 0:
                raise Refused(f"version {major}.{minor} with required features {required:x} is not known")
            if 1 <= generation < 1 << 63:
                salts.append(copy[40:48])
        if not salts:
            raise Refused("no good log header")
        return salts[0]

    # [Checksums]
    def checksum(self, place, *pieces):
        crc = crc32c(self.salt + place.to_bytes(8, "little"))
        for start, end in pieces:
            crc = crc32c(self.data[start:end], crc)
        return crc

    def u32(self, at):
        return unpack_from("<I", self.data, at)[0]

    # [Validity]
    def good_header(self, at):
        if at % 8 or at < FIRST_FRAME or at + 32 > len(self.data):
            return None
        frame = Frame(self.data, at, at)
        return frame if frame.fits() and self.checksum(at, (at, at + 28)) == self.u32(at + 28) else None

    def proven(self, at):
        frame = self.good_header(at)
        if frame is None or frame.end > len(self.data) or self.trailer_length(frame.end) != frame.length:
            return None
        return frame if self.u32(frame.end - 8) == self.u32(at + 28) else None

    def trailer_length(self, end, aligned=True):
        if aligned and end % 8 or end - 8 < FIRST_FRAME or end > len(self.data) or self.data[end - 1] != 0xE7:
            return None
        return (self.u32(end - 4) & 0xFFFFFF) * 8

    def has_good_payload(self, frame):
        return self.checksum(frame.offset, (frame.offset + 32, frame.end - 8)) == self.u32(frame.offset + 24)

    def verifies(self, record):
        return record.checksum == self.checksum(
            record.start, (record.start, record.start + 16), (record.start + 20, record.end))

    def record(self, start, end):
        """The record at a place, if it fits into the space that it has."""
        if start + 20 > end:
            return None
        record = Record(self.data, start, end)
        return record if record.fits else None

    # [Payload head]
    def head(self, at, end, frame):
        if at + 16 > end:
            return None
        count, name_count, author, size = unpack_from("<IHHI", self.data, at)
        if not 16 <= size <= end - at or name_count > 65_534:
            return None
        names, place, stop = [], at + 12, at + size - 4
        for _ in range(name_count):
            if place >= stop:
                return None
            name = self.data[place + 1:place + 1 + self.data[place]]
            place += 1 + self.data[place]
            if place > stop or not is_text(name):
                return None
            names.append(name.decode("utf-8"))
        if place != stop or self.checksum(frame.offset, (at, stop)) != self.u32(stop):
            return None
        if author != NONE and author >= name_count:
            return None
        return Head(count, None if author == NONE else author, size, names)

    # [Spare]
    def spare(self, frame_offset, end):
        """The frame as its spare tells of it, the directory, and where the spare begins."""
        size, stop = self.u32(end - 16), end - 12
        start = end - 8 - size
        if end - frame_offset > LONGEST_INDEPENDENT or size < 48 or start < frame_offset + 32:
            return None
        if self.checksum(frame_offset, (start, stop)) != self.u32(stop):
            return None
        frame = Frame(self.data, frame_offset, end - 40)
        if not frame.fits() or frame.length != end - frame_offset or not frame.flags & INDEPENDENT:
            return None
        left = size - 32
        head_size = unpack_from("<H", self.data, start)[0] - 32
        if not (16 <= head_size < left and (left - head_size) % 2 == 0):
            head_size = left
        count = (left - head_size) // 2
        frame.head = self.head(start + 2 * count, end - 40, frame)
        if frame.head is None or frame.head.size != head_size or frame.head.count != count:
            return None
        directory = unpack_from(f"<{count}H", self.data, start)
        if any(first >= second for first, second in zip(directory, directory[1:] + (start - frame_offset,))):
            return None
        return frame, directory, start

    # [Reader's duties], "to serve"
    def serve(self, frame):
        payload, end = frame.offset + 32, frame.end - 8
        if self.has_good_payload(frame):
            frame.head = self.head(payload, end, frame)
            parts = self.one_behind_another(frame, end, verified=False) if frame.head else []
            if frame.head is None or len(parts) < frame.head.count:
                return [Part("lost frame", frame.offset, frame.end, frame)]
            return parts
        lost = Part("lost frame", frame.offset, frame.end, frame)
        if not frame.flags & INDEPENDENT:
            return [lost]
        spare = self.spare(frame.offset, frame.end)
        if spare:
            frame.head = spare[0].head
            return self.by_spare(frame, *spare[1:])
        frame.head = self.head(payload, end, frame)
        if frame.head is None:
            return [lost]
        parts = self.one_behind_another(frame, end, verified=True)
        # Where all are found and good, the damage is behind them, and nothing is lost.
        if len(parts) < frame.head.count:
            rest = parts[-1].end if parts else payload + frame.head.size
            parts.append(Part("bad payload", rest, frame.end, frame))
        return parts

    def one_behind_another(self, frame, end, verified):
        place, parts = frame.offset + 32 + frame.head.size, []
        for _ in range(frame.head.count):
            record = self.record(place, end)
            if record is None:
                break
            good = (not verified or self.verifies(record)) and self.is_whole(record, frame)
            parts.append(Part("good" if good else "bad record", place, record.end, frame, record))
            place = record.end
        return parts

    def by_spare(self, frame, directory, start):
        parts = []
        ends = [frame.offset + distance for distance in directory[1:]] + [start]
        for distance, end in zip(directory, ends):
            place = frame.offset + distance
            record = self.record(place, end)
            good = record and self.verifies(record) and self.is_whole(record, frame)
            parts.append(Part("good", place, record.end, frame, record) if good else
                         Part("bad record", place, end, frame, record))
        return parts

    def is_whole(self, record, frame):
        if record.distance != record.start - frame.offset or record.origin(frame) is None:
            return False
        return record.key_type not in (TEXT, UUID, INTEGER) or record.has_good_key()

    # [Reader's duties], "to explain"
    def explain(self, start, end):
        front, back = [], []
        while (frame := self.good_header(start)) and frame.end <= end:
            front += self.serve(frame)
            start = frame.end
        while end > start and (length := self.trailer_length(end)) and 56 <= length <= end - start:
            spare = self.spare(end - length, end)
            if spare is None:
                break
            back = self.by_spare(*spare) + back
            end -= length
        if start < end:
            cause = "bad frame header" if any(self.data[start:end]) else "hole"
            front.append(Part(cause, start, end))
        return front + back

    # [Reader's duties]
    def walk(self):
        data, place, last = self.data, FIRST_FRAME, 0
        used = len(data.rstrip(b"\0"))
        end = -(-used // 8) * 8
        while place < used:
            frame = self.proven(place)
            if frame:
                yield from self.serve(frame)
                place, last = frame.end, frame.sequence
                continue
            good = self.good_header(place)
            found = good.end if good else place + 8
            while found < len(data) and not self.proven(found):
                found += 8
            if found < len(data):
                yield from self.explain(place, found)
                place = found
            elif good and good.end < end and self.has_good_payload(good):
                yield from self.explain(place, good.end)
                place, last = good.end, good.sequence
            elif end - place > LONGEST_FRAME or self.is_damaged_frames(place, end, used, last):
                yield from self.explain(place, end)
                place = end
            else:
                yield Part("unfinished", place, min(end, len(data)))
                return

    def is_damaged_frames(self, start, end, used, last):  # [The end of the log]
        return used == end and self.were_whole(start, end) or self.has_displaced_frame(start, end, last)

    def were_whole(self, start, end):
        if not 56 <= end - start <= LONGEST_FRAME:
            return False
        while start < end and (good := self.good_header(start)):
            start = good.end
        length = self.trailer_length(end) if start < end else None
        if length is None or not 56 <= length <= end - start:
            return start == end
        return length == end - start or self.spare(end - length, end) is not None

    def has_displaced_frame(self, start, end, last):
        place, end = self.data.find(MARKER, start, end), min(end, len(self.data))
        while place >= 0:
            if place + 32 <= end and self.is_displaced(place, end, last):
                return True
            place = self.data.find(MARKER, place + 1, end)
        return False

    def is_displaced(self, place, end, last):
        frame = Frame(self.data, place, place)
        if not frame.fits() or frame.end > end or frame.sequence <= last:
            return False
        if self.trailer_length(frame.end, aligned=False) != frame.length:
            return False
        if self.u32(frame.end - 8) != self.u32(place + 28):
            return False
        upper = place >> 32
        seed = seed_before(self.data[place:place + 28], self.u32(place + 28))
        state = seed_before(upper.to_bytes(4, "little"), seed)
        lower = seed_before(bytes(4), state) ^ crc32c(self.salt)
        offset = upper << 32 | lower
        return offset != place and offset % 8 == 0 and FIRST_FRAME <= offset and abs(offset - place) <= LONGEST_FRAME
