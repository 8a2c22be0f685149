/**
 * The capabilities of the plugin interface, each as calls to a driver: what to send for a volume, and what an answer or a
 * failure means for it. {@code Driver} is what they share; the pure parts (class parameters, access modes, topology) know
 * neither calls nor time.
 *
 * <p>May depend on everything else under {@code internal} and on the words of the public package.
 */
package io.volume4j.csi.internal.plugin;
