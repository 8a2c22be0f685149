package io.volume4j.core.control.snapshot;

/** The facts for the decision about one object of the snapshot feature. */
public sealed interface SubjectView permits SnapshotView, ContentView, SourceView {}
