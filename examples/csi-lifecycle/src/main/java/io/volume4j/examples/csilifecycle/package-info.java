/**
 * Runs a volume through its whole life against any CSI driver, one RPC at a time, and shows each. It works below the library's
 * plugin, on the CSI client itself, because its subject is the driver and every single call of it; a host takes the plugin.
 */
@NullMarked
package io.volume4j.examples.csilifecycle;

import org.jspecify.annotations.NullMarked;
