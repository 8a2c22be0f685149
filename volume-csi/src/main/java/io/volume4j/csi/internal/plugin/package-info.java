/**
 * Implements each capability of the plugin interface with calls to a driver: the request for a volume, and the
 * meaning of the answer or failure. The capabilities share {@code Driver}. The pure parts (class parameters, access
 * modes, topology) use neither calls nor time.
 *
 * <p>May depend on all other packages under {@code internal} and on the types of the public package.
 */
package io.volume4j.csi.internal.plugin;
