/**
 * The cache of the cluster's objects for one event loop. It lists and watches the objects, and lists again when a
 * watch expires. An object in the cache is never older than the loop's own last write of it.
 *
 * <p>Start with {@link io.volume4j.core.objects.ObjectCache}. The node's manager and each controller have their own
 * cache. Depends on the SPI's model and host interfaces only. It must not depend on the engine or on any controller.
 */
package io.volume4j.core.objects;
