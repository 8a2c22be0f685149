/**
 * An in-memory store of a cluster's objects. It handles revisions, preconditions, finalizers and watches as an API
 * server does. It has scripted faults and a journal of all writes.
 *
 * <p>Depends on the SPI, the manifest codec, the manual clock and the words of the fault scripts. The store keeps
 * objects as manifests, so fields that no record models are preserved.
 */
package io.volume4j.inmemory.cluster;
