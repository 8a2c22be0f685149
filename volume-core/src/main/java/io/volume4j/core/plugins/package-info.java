/**
 * The plugins that every node has, and the registry that finds the plugin of a volume.
 *
 * <p>Here live {@link io.volume4j.core.plugins.PluginRegistry}, the {@link io.volume4j.core.plugins.DefaultPluginHost} that
 * plugins get to see, the one implementation of {@link io.volume4j.spi.plugin.FormatAndMount}, and the plugins that need no
 * storage server. They work against the SPI only, so they run on any {@link io.volume4j.spi.mount.MountBackend}.
 *
 * <p>May depend on {@code io.volume4j.spi}, slf4j and, for what drivers answer, Jackson; never on another package of the core. Everything that finds or calls
 * plugins may depend on it.
 */
package io.volume4j.core.plugins;
