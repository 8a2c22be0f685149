/**
 * A cluster's store of objects in memory, as careful as an API server about revisions, preconditions, finalizers and
 * watches, with faults by script and a journal of all writes.
 *
 * <p>Depends on the SPI, the manifest codec, the manual clock and the words of the fault scripts. Objects are kept as their manifests say them, so fields
 * that no record models survive here as they must survive anywhere.
 */
package io.volume4j.inmemory.cluster;
