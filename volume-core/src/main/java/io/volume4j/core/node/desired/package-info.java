/**
 * The desired state of world: which volumes the pods of this node want, and how.
 *
 * <p>{@code DesiredStateOfWorldPopulator} follows the cluster's objects, {@code PodResolver} resolves the volumes of a
 * pod, and {@code DesiredStateOfWorld} holds the result.
 *
 * <p>May depend on {@code node.state}, the object cache, the plugin registry and {@code io.volume4j.spi}.
 */
@NullMarked
package io.volume4j.core.node.desired;

import org.jspecify.annotations.NullMarked;
