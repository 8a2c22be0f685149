package io.volume4j.core.control.snapshot;

/** What must be known to decide about one object that snapshots concern. */
public sealed interface SubjectView permits SnapshotView, ContentView, SourceView {}
