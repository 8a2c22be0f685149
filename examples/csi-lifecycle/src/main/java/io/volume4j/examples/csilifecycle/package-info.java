/**
 * Takes a volume through its whole life with any CSI driver, one RPC at a time, and shows each. It uses the CSI client itself
 * and not the library's plugin, because it tests every single call of the driver; a host should use the plugin.
 */
@NullMarked
package io.volume4j.examples.csilifecycle;

import org.jspecify.annotations.NullMarked;
