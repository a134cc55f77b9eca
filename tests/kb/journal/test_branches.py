"""What-ifs: a branch shows its parent as it was, with its own changes, and goes without a trace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from narraworld.kb.errors import (
    BadName,
    BranchExists,
    BranchInUse,
    JournalDamaged,
    UnknownBranch,
    UnknownRevision,
)
from narraworld.kb.journal.branches import Branch
from narraworld.kb.journal.folder import LeafFault
from narraworld.kb.journal.store import Diff, Store


def says(text: str) -> str:
    return f'<urn:nw:leo> <urn:p> "{text}" .'


def shown(store: Store, branch: str = "main", revision: int | None = None) -> dict[str, str]:
    snapshot = store.snapshot(revision, branch)
    return {unit: str(store.quads(entry)[0].object.value) for unit, entry in snapshot.items()}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """Two chapters; `if` forks after them, changes one and adds one; `if-then` grows from `if`."""
    store = Store.create(tmp_path)
    store.commit("ch01", says("a"))
    store.commit("ch02", says("b"))
    store.new_branch("if")
    store.commit("ch02", says("b if"), branch="if")
    store.commit("ch03", says("c if"), branch="if")
    store.new_branch("if-then", parent="if", revision=1)
    store.retract("ch01", branch="if-then")
    return store


def test_a_branch_lies_over_its_parent(store: Store) -> None:
    assert shown(store) == {"ch01": "a", "ch02": "b"}
    assert shown(store, "if") == {"ch01": "a", "ch02": "b if", "ch03": "c if"}
    assert shown(store, "if", 0) == {"ch01": "a", "ch02": "b"}
    assert shown(store, "if-then") == {"ch02": "b if"}


def test_what_happens_later_on_the_parent_stays_there(store: Store) -> None:
    store.commit("ch01", says("a later"))
    store.retract("ch02")
    store.commit("ch04", says("d"))
    assert shown(store, "if") == {"ch01": "a", "ch02": "b if", "ch03": "c if"}
    assert shown(store, "if-then") == {"ch02": "b if"}


def test_a_new_unit_of_a_branch_comes_last(store: Store) -> None:
    assert list(store.snapshot(branch="if")) == ["ch01", "ch02", "ch03"]


def test_branches_are_listed_and_compared(store: Store) -> None:
    assert store.branches() == [Branch("if", "main", 2), Branch("if-then", "if", 1)]
    assert store.diff(store.snapshot(), store.snapshot(branch="if")) == Diff(
        added=("ch03",), changed=("ch02",)
    )
    assert [entry.unit for entry in store.log("if")] == ["ch02", "ch03"]


def test_a_deleted_branch_leaves_nothing_behind(tmp_path: Path) -> None:
    store = Store.create(tmp_path)
    store.commit("ch01", says("a"))
    store.new_branch("other")
    before = sorted(os.walk(tmp_path))
    store.new_branch("if")
    store.commit("ch02", says("b"), branch="if")
    store.cache("if").mkdir(parents=True)
    store.delete_branch("if")
    (store.root / "cache").rmdir()
    assert sorted(os.walk(tmp_path)) == before
    store.new_branch("if")
    assert shown(store, "if") == {"ch01": "a"}


def test_a_branch_others_grow_from_is_not_deleted(store: Store) -> None:
    with pytest.raises(BranchInUse, match="if-then grow from 'if'"):
        store.delete_branch("if")
    store.delete_branch("if-then")
    store.delete_branch("if")
    assert store.branches() == []


@pytest.mark.parametrize("name", ["if", "IF", "main", "Main"])
def test_a_name_is_given_once(store: Store, name: str) -> None:
    with pytest.raises(BranchExists):
        store.new_branch(name)


def test_mistakes_are_answered_with_advice(store: Store) -> None:
    with pytest.raises(UnknownBranch, match=r"no branch 'if-them'\n  did you mean if-then"):
        store.commit("ch01", says("x"), branch="if-them")
    with pytest.raises(BranchInUse, match="'main' is the story itself"):
        store.delete_branch("main")
    with pytest.raises(UnknownRevision):
        store.new_branch("late", revision=3)
    with pytest.raises(BadName):
        store.new_branch("../if")
    assert [branch.name for branch in store.branches()] == ["if", "if-then"]


def test_another_store_sees_a_branch_replaced(store: Store) -> None:
    reader = Store(store.root)
    assert shown(reader, "if-then") == {"ch02": "b if"}
    store.delete_branch("if-then")
    with pytest.raises(UnknownBranch):
        reader.snapshot(branch="if-then")
    store.new_branch("if-then")
    store.commit("ch01", says("new"), branch="if-then")
    assert shown(reader, "if-then") == {"ch01": "new", "ch02": "b"}


def test_what_a_crash_left_of_a_branch_is_swept_by_the_next_writer(store: Store) -> None:
    folder = store.root / "branches"
    (folder / ".new-x" / "journal").mkdir(parents=True)
    (folder / ".old-y" / "journal").mkdir(parents=True)
    fresh = Store(store.root)
    assert [branch.name for branch in fresh.branches()] == ["if", "if-then"]
    fresh.commit("ch05", says("e"))
    assert sorted(path.name for path in folder.iterdir()) == ["if", "if-then"]


def test_an_altered_fork_is_named(store: Store) -> None:
    origin = store.root / "branches" / "if" / "branch.json"
    origin.write_text('{"parent": "main", "revision": 1}')
    assert [(damage.file, damage.fault) for damage in store.verify()] == [(origin, LeafFault.CHAIN)]
    origin.write_text("?")
    with pytest.raises(JournalDamaged, match="branch if does not say where it forks"):
        store.snapshot(branch="if")
    assert shown(store) == {"ch01": "a", "ch02": "b"}
    origin.unlink()
    assert [(damage.file, damage.fault) for damage in store.verify()] == [(origin, LeafFault.MISSING)]


def test_branches_that_fork_from_each_other_are_damage_and_no_endless_loop(store: Store) -> None:
    (store.root / "branches" / "if" / "branch.json").write_text('{"parent": "if-then", "revision": 0}')
    with pytest.raises(JournalDamaged, match="forks from itself"):
        store.snapshot(branch="if")


UNITS = st.sampled_from(["a", "b", "c"])


class History(RuleBasedStateMachine):
    """Any sequence of commits, retractions and branches, against plain dictionaries."""

    def __init__(self) -> None:
        super().__init__()
        from tempfile import TemporaryDirectory

        self.folder = TemporaryDirectory()
        self.store = Store.create(self.folder.name)
        self.versions: dict[str, list[dict[str, str]]] = {"main": [{}]}  # branch → what each revision shows
        self.parents: dict[str, str] = {}
        self.count = 0

    def teardown(self) -> None:
        assert self.store.verify() == []
        self.folder.cleanup()

    @rule(unit=UNITS, data=st.data())
    def commit(self, unit: str, data: st.DataObject) -> None:
        branch = data.draw(st.sampled_from(sorted(self.versions)))
        self.count += 1
        self.store.commit(unit, says(str(self.count)), branch=branch)
        self.versions[branch].append(self.versions[branch][-1] | {unit: str(self.count)})

    @rule(data=st.data())
    def retract(self, data: st.DataObject) -> None:
        branch = data.draw(st.sampled_from(sorted(self.versions)))
        visible = self.versions[branch][-1]
        if visible:
            unit = data.draw(st.sampled_from(sorted(visible)))
            self.store.retract(unit, branch=branch)
            self.versions[branch].append({other: text for other, text in visible.items() if other != unit})

    @precondition(lambda self: len(self.versions) < 4)
    @rule(data=st.data())
    def fork(self, data: st.DataObject) -> None:
        parent = data.draw(st.sampled_from(sorted(self.versions)))
        revision = data.draw(st.integers(0, len(self.versions[parent]) - 1))
        self.count += 1
        name = f"if{self.count}"
        self.store.new_branch(name, parent=parent, revision=revision)
        self.versions[name] = [self.versions[parent][revision]]
        self.parents[name] = parent

    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        leaves = sorted(set(self.parents) - set(self.parents.values()))
        if leaves:
            name = data.draw(st.sampled_from(leaves))
            self.store.delete_branch(name)
            del self.versions[name], self.parents[name]

    @rule()
    def reopen(self) -> None:
        self.store = Store.open(self.folder.name)

    @invariant()
    def every_revision_shows_what_it_should(self) -> None:
        for branch, revisions in self.versions.items():
            for revision, expected in enumerate(revisions):
                assert shown(self.store, branch, revision) == expected


TestHistory = History.TestCase
TestHistory.settings = settings(max_examples=15, stateful_step_count=15, deadline=None)
