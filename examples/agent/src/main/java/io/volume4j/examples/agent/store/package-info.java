/**
 * A small API server over the in-memory cluster, to try and test the agents without Kubernetes. It follows the conventions
 * of Kubernetes that the agents use: lists in pages, watches, merge patches with preconditions, and a separate status. It
 * has no users and no passwords; a {@link io.volume4j.examples.agent.store.Gate} may distinguish users by their tokens. It
 * listens on this machine only.
 *
 * <p>Depends on the in-memory cluster, the codec, and on paths and JSON of the adapter.
 */
@NullMarked
package io.volume4j.examples.agent.store;

import org.jspecify.annotations.NullMarked;
