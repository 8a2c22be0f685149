/**
 * A small API server of our own over the in-memory cluster, so that the agents can be tried, and tested, without a
 * Kubernetes. It follows Kubernetes' conventions as far as the agents use them: lists in pages, watches, merge patches with
 * preconditions, the status apart. It has no users and no passwords of its own; a {@link
 * io.volume4j.examples.agent.store.Gate} may tell users apart by their tokens. It listens on this machine only.
 *
 * <p>Depends on the in-memory cluster, the codec, and on paths and JSON of the adapter.
 */
@NullMarked
package io.volume4j.examples.agent.store;

import org.jspecify.annotations.NullMarked;
