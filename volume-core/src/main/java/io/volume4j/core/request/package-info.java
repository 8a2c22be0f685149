/**
 * Requests to the cluster with a timeout, outside the steps of an engine: the renewal of a Lease, a node's report, an
 * event.
 *
 * <p>Depends on the SPI and on {@code core.engine} for its loop.
 */
@NullMarked
package io.volume4j.core.request;

import org.jspecify.annotations.NullMarked;
