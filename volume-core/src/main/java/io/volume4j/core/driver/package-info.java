/**
 * The settings of the cluster's CSIDriver objects, for the node and for attach/detach.
 *
 * <p>Depends on the object cache and the SPI, and on no planner and no world.
 */
@NullMarked
package io.volume4j.core.driver;

import org.jspecify.annotations.NullMarked;
