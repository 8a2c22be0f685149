/**
 * A cluster in etcd: the objects of the API as JSON under one prefix, watches, and a leader that etcd elects. It needs no
 * Kubernetes.
 *
 * <p>{@link io.volume4j.examples.etcd.EtcdCluster} reads, watches and writes objects. {@link
 * io.volume4j.examples.etcd.EtcdElection} provides the leader's epoch. Both use the connection {@link
 * io.volume4j.examples.etcd.EtcdClient}. The rules of the store ({@link io.volume4j.examples.etcd.StoredObjects}) are pure
 * functions. The package depends on the SPI, the codec of manifests and the etcd client.
 */
@NullMarked
package io.volume4j.examples.etcd;

import org.jspecify.annotations.NullMarked;
