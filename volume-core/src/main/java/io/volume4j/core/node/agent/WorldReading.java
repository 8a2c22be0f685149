package io.volume4j.core.node.agent;

import io.volume4j.core.volumes.NodeSnapshot;

/**
 * Both worlds at one moment.
 *
 * @param revision the same for equal readings only, and never smaller than that of an earlier one
 * @param clusterComplete whether all pods that the cluster gives the node are known
 * @param directComplete whether all wishes that the host states directly are
 */
public record WorldReading(long revision, NodeSnapshot snapshot, boolean clusterComplete, boolean directComplete) {}
