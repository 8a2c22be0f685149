/**
 * What the cluster's CSIDriver objects say of the drivers of volumes, for the node and for attach/detach.
 *
 * <p>Depends on the object cache and the SPI; knows no planner and no world.
 */
@NullMarked
package io.volume4j.core.driver;

import org.jspecify.annotations.NullMarked;
