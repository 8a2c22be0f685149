/**
 * A cluster in etcd: the objects of the API as JSON under one prefix, watches, and a leader that etcd elects. Nothing of
 * Kubernetes is needed.
 *
 * <p>{@link io.volume4j.examples.etcd.EtcdCluster} is the source and the writer of objects, {@link
 * io.volume4j.examples.etcd.EtcdElection} the leader's epoch, and {@link io.volume4j.examples.etcd.EtcdClient} the connection
 * that both use. The rules of the store ({@link io.volume4j.examples.etcd.StoredObjects}) are pure functions. The package
 * depends on the SPI, the codec of manifests and the etcd client.
 */
@NullMarked
package io.volume4j.examples.etcd;

import org.jspecify.annotations.NullMarked;
