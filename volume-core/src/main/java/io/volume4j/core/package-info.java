/**
 * The entry point of the library for a node: {@link io.volume4j.core.VolumeManager}. Other exported packages have the
 * types that it uses, the plugins, the Linux backend, the codec and the controllers.
 *
 * <p>May depend on every package of this module. No package depends on it.
 */
package io.volume4j.core;
