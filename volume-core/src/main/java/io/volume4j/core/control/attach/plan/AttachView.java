package io.volume4j.core.control.attach.plan;

/** The input of a planner: a pair of volume and node, a node, or a driver. */
public sealed interface AttachView permits DriverView, NodeView, PairView {}
