"""Tables by Arrow's C stream and by the data frame protocol, read as frames."""
import ctypes
import datetime

import numpy as np
import pytest

import motmot
from motmot import _frames

MISSING = 2 ** 32 - 1


def values(column):
    """What a column says, row by row; None where it says nothing."""
    if column.kind == "category":
        assert len(column.numbers) == 0
        return [None if code == MISSING else column.levels[code] for code in column.codes]
    assert len(column.codes) == 0
    return [None if np.isnan(number) else number for number in column.numbers]


# ------------------------------------------------------------------------------------------- a stream by hand

class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


class Stream(ctypes.Structure):
    pass


ReleaseSchema, ReleaseArray, ReleaseStream = (ctypes.CFUNCTYPE(None, ctypes.POINTER(t)) for t in (Schema, Array, Stream))
Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_char_p),
                   ("flags", ctypes.c_int64), ("n_children", ctypes.c_int64),
                   ("children", ctypes.POINTER(ctypes.POINTER(Schema))), ("dictionary", ctypes.POINTER(Schema)),
                   ("release", ReleaseSchema), ("private_data", ctypes.c_void_p)]
Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64),
                  ("n_buffers", ctypes.c_int64), ("n_children", ctypes.c_int64),
                  ("buffers", ctypes.POINTER(ctypes.c_void_p)), ("children", ctypes.POINTER(ctypes.POINTER(Array))),
                  ("dictionary", ctypes.POINTER(Array)), ("release", ReleaseArray), ("private_data", ctypes.c_void_p)]
GetSchema = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Schema))
GetNext = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(Stream), ctypes.POINTER(Array))
LastError = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.POINTER(Stream))
Stream._fields_ = [("get_schema", GetSchema), ("get_next", GetNext), ("get_last_error", LastError),
                   ("release", ReleaseStream), ("private_data", ctypes.c_void_p)]

DRY = ctypes.create_string_buffer(b"the well is dry")

new_capsule = ctypes.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class ByHand:
    """A table of columns (name, format, buffers), each a NumPy array or None, cut into chunks of equal columns."""

    def __init__(self, chunks, capsule_name=b"arrow_array_stream", fails=False):
        self.chunks, self.capsule_name, self.fails = list(chunks), capsule_name, fails
        self.kept, self.released = [], []

    def keep(self, thing):
        self.kept.append(thing)
        return thing

    def fill_schema(self, _, out):
        columns = self.chunks[0]
        parts = [self.keep(Schema(format=form.encode(), name=name.encode())) for name, form, _, _ in columns]
        pointers = self.keep((ctypes.POINTER(Schema) * len(parts))(*map(ctypes.pointer, parts)))
        out[0] = Schema(format=b"+s", name=b"", n_children=len(parts), children=pointers,
                        release=self.keep(ReleaseSchema(lambda one: self.release(one, "schema", ReleaseSchema))))
        return 0

    def fill_next(self, _, out):
        if self.fails:
            return 5
        if not self.chunks:
            out[0] = Array()
            return 0
        columns, parts = self.chunks.pop(0), []
        for _, _, length, buffers in columns:
            addresses = [None if b is None else self.keep(b).ctypes.data for b in buffers]
            held = self.keep((ctypes.c_void_p * len(addresses))(*addresses))
            parts.append(self.keep(Array(length=length, null_count=-1, n_buffers=len(addresses), buffers=held)))
        pointers = self.keep((ctypes.POINTER(Array) * len(parts))(*map(ctypes.pointer, parts)))
        out[0] = Array(length=columns[0][2], n_children=len(parts), children=pointers,
                       release=self.keep(ReleaseArray(lambda one: self.release(one, "array", ReleaseArray))))
        return 0

    def release(self, one, what, kind):
        self.released.append(what)
        one[0].release = kind()

    def __arrow_c_stream__(self, requested_schema=None):
        self.stream = Stream(get_schema=GetSchema(self.fill_schema), get_next=GetNext(self.fill_next),
                             get_last_error=LastError(lambda _: ctypes.addressof(DRY)),
                             release=ReleaseStream(lambda one: self.release(one, "stream", ReleaseStream)))
        self.kept.append(self.stream)
        # What the library copies out of the struct must stay alive, too.
        self.kept += [self.stream.get_schema, self.stream.get_next, self.stream.release]
        return new_capsule(ctypes.addressof(self.stream), self.capsule_name, None)


def texts(*words):
    data = np.frombuffer("".join(words).encode() + b" ", "u1")
    return [None, np.cumsum([0, *(len(word.encode()) for word in words)], dtype="i4"), data]


def bits(*truths):
    return np.packbits(truths, bitorder="little")


def test_a_capsule_made_by_hand():
    first = [("x", "g", 3, [bits(1, 0, 1), np.array([0.5, 9, -2])]), ("Ort", "u", 3, texts("Zürich", "", "Zürich")),
             ("day", "tdD", 3, [None, np.array([0, 1, -1], "i4")]), ("on", "b", 3, [None, bits(1, 0, 1)])]
    second = [("x", "g", 1, [None, np.array([7.0])]), ("Ort", "u", 1, texts("Genf")),
              ("day", "tdD", 1, [None, np.array([2], "i4")]), ("on", "b", 1, [bits(0), bits(1)])]
    table = ByHand([first, second])
    frame = _frames.from_object(table)
    assert frame.n == 4
    assert [(c.name, c.kind, values(c)) for c in frame.columns] == [
        ("x", "number", [0.5, None, -2, 7]), ("Ort", "category", ["Zürich", "", "Zürich", "Genf"]),
        ("day", "time", [0, 86400, -86400, 172800]), ("on", "category", ["true", "false", "true", None])]
    assert sorted(table.released) == ["array", "array", "schema", "stream"]


def test_the_values_belong_to_the_frame_and_cannot_be_written():
    numbers = _frames.from_object(ByHand([[("x", "g", 2, [None, np.array([1.0, 2.0])])]])).columns[0].numbers
    assert numbers.tolist() == [1, 2]  # the frame itself is gone
    assert not numbers.flags.owndata
    with pytest.raises(ValueError):
        numbers[0] = 3


@pytest.mark.parametrize("table, sentence", [
    (ByHand([[("x", "g", 1, [None, np.ones(1)]), ("y", "+l", 1, [])]]),
     "X, column 2 'y' is a list (Arrow's '+l'); cast it to a number, a string or a timestamp, or leave it out"),
    (ByHand([[("x", "g", 0, [None, np.ones(1)])]]), "X has no rows"),
    (ByHand([[("x", "g", 1, [None, np.ones(1)])]], fails=True), "X: its Arrow stream failed ('the well is dry')"),
    (ByHand([[("x", "g", 1, [None, np.ones(1)])]], capsule_name=b"something"),
     "X: __arrow_c_stream__() must return a capsule called 'arrow_array_stream'"),
    ([1, 2], "X must have __arrow_c_stream__ or __dataframe__, got [1, 2]")])
def test_complaints(table, sentence):
    with pytest.raises(motmot.Error) as error:
        _frames.from_object(table, "X")
    assert str(error.value) == sentence


# --------------------------------------------------------------------------------- the data frame protocol

def test_numbers_of_pandas():
    pd = pytest.importorskip("pandas")
    table = pd.DataFrame({t: np.array([1, 0, 100], t) for t in
                          ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8"]})
    frame = _frames.from_object(table)
    assert [c.name for c in frame.columns] == list(table.columns)
    for column in frame.columns:
        assert (column.kind, column.is_whole, values(column)) == ("number", True, [1, 0, 100])
    gaps = _frames.from_object(pd.DataFrame({"x": [0.5, np.nan, np.inf]})).columns[0]
    assert (values(gaps), gaps.is_whole) == ([0.5, None, None], False)


def test_other_columns_of_pandas():
    pd = pytest.importorskip("pandas")
    when = [datetime.datetime(2001, 9, 9, 1, 46, 40), None, datetime.datetime(1969, 12, 31)]
    table = pd.DataFrame({"word": ["b", None, "Zürich"], "on": [True, False, True], "when": when,
                          "level": pd.Categorical(["y", None, "x"], categories=["x", "y", "never"]),
                          "zip": pd.Categorical([8001, 8002, 8001]),
                          "flag": pd.Categorical([True, None, False])})
    columns = {c.name: c for c in _frames.from_object(table).columns}
    assert {name: (c.kind, values(c)) for name, c in columns.items()} == {
        "word": ("category", ["b", None, "Zürich"]), "on": ("category", ["true", "false", "true"]),
        "when": ("time", [1e9, None, -86400]), "level": ("category", ["y", None, "x"]),
        "zip": ("category", ["8001", "8002", "8001"]), "flag": ("category", ["true", None, "false"])}
    assert columns["level"].levels == ["y", "x"]  # those that occur, in their order


def test_rows_of_pandas_that_were_cut_out():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"x": rng.normal(size=500), "s": rng.choice(["a", "bb", "ccc"], 500),
                          "c": pd.Categorical(rng.choice(["p", "q"], 500))})
    for part in (table, table[17:200], table[::3], table[table.x > 0], table[["s", "x"]]):
        columns = _frames.from_object(part).columns
        assert [c.name for c in columns] == list(part.columns)
        for column in columns:
            assert values(column) == part[column.name].tolist()


@pytest.mark.parametrize("values_of_x, dtype", [
    ([[1], [2]], None), ([1, "a"], None), ([1, None], "Int64"), ([1, 2], "datetime64[ns, Europe/Zurich]"),
    ([1j, 2], None), ([1, 2], "timedelta64[ns]")])
def test_columns_of_pandas_that_the_protocol_does_not_have(values_of_x, dtype):
    pd = pytest.importorskip("pandas")
    with pytest.raises(motmot.Error) as error:
        _frames.from_object(pd.DataFrame({"x": pd.Series(values_of_x, dtype=dtype)}))
    assert "column 1 'x' cannot be had by the data frame protocol" in str(error.value)
    assert "\n" not in str(error.value)


def test_a_stream_that_needs_another_library_gives_way_to_the_protocol():
    pd = pytest.importorskip("pandas")

    class Newer(pd.DataFrame):
        def __arrow_c_stream__(self, requested_schema=None):
            raise ImportError("pyarrow")
    assert values(_frames.from_object(Newer({"x": [1.0, 2.0]})).columns[0]) == [1, 2]


class Mask:
    """A column of int32 with a mask, as other libraries have them and pandas does not."""

    def __init__(self, data, mask, how, missing, offset):
        self.data, self.mask, self.describe_null, self.offset = data, mask, (how, missing), offset
        self.dtype = (0, 32, "i", "=")

    def size(self):
        return len(self.data) - self.offset

    def get_buffers(self):
        def buffer(array):
            return type("Buffer", (), {"ptr": array.ctypes.data, "bufsize": array.nbytes})()
        return {"data": (buffer(self.data), self.dtype), "validity": (buffer(self.mask), None), "offsets": None}


@pytest.mark.parametrize("missing", [0, 1])
@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("offset", [0, 1, 9])
def test_masks_of_bits_and_bytes(missing, packed, offset):
    data = np.arange(20, dtype="i4")
    there = data % 3 != 0
    raw = (there if missing == 0 else ~there).astype("u1")
    column = Mask(data, np.packbits(raw, bitorder="little") if packed else raw, 3 if packed else 4, missing, offset)

    class Table:
        def __dataframe__(self):
            return self

        def column_names(self):
            return ["x"]

        def get_chunks(self):
            return [self, self]

        def get_column(self, _):
            return column
    wanted = [int(v) if t else None for v, t in zip(data, there)][offset:]
    assert values(_frames.from_object(Table()).columns[0]) == 2 * wanted


def test_distance_reads_tables_of_any_library():
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=40), rng.normal(size=30) + 1
    city = {40: ["Paris", "Rome"] * 20, 30: ["Rome"] * 30}

    def table(values):
        return ByHand([[("price", "g", len(values), [None, values]), ("city", "u", len(values), texts(*city[len(values)]))]])
    by_dict = motmot.distance({"price": x, "city": city[40]}, {"price": y, "city": city[30]}, permutations=9)
    by_stream = motmot.distance(table(x), table(y), permutations=9)
    assert by_stream.value == by_dict.value and by_stream.p_value == by_dict.p_value
    assert [column.name for column in by_stream.columns] == ["price", "city"]


def test_distance_refuses_two_columns_of_one_name():
    table = ByHand([[("x", "g", 2, [None, np.array([1.0, 2.0])]), ("x", "g", 2, [None, np.array([1.0, 2.0])])]])
    with pytest.raises(motmot.Error, match="two columns of the same name"):
        motmot.distance(table, table)
