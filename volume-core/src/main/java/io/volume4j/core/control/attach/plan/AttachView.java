package io.volume4j.core.control.attach.plan;

/** What a planner is shown: a pair of volume and node, a node, or a driver. */
public sealed interface AttachView permits DriverView, NodeView, PairView {}
