/**
 * The plugins that come with the library, and the registry that finds the plugin of a volume.
 *
 * <p>Here live {@link io.volume4j.core.plugins.PluginRegistry}, the {@link io.volume4j.core.plugins.DefaultPluginHost} that
 * plugins get to see, {@link io.volume4j.core.plugins.ProvenFormatAndMount}, and the class of each plugin that users name. The
 * plugins work against the SPI only, so they run on any {@link io.volume4j.spi.mount.MountBackend}.
 *
 * <p>The parts of each plugin are in a package of its own below this one, which the module does not export: {@code emptydir},
 * {@code hostpath} (also for {@code local}), {@code image}, {@code loop}, {@code nfs}, {@code san} (iSCSI and Fibre Channel), {@code flex} and
 * {@code content}. They share {@code common} and do not know each other, nor this package. {@code registry} holds what the
 * registry needs to keep secrets out of failures.
 *
 * <p>May depend on {@code io.volume4j.spi}, slf4j, {@code core.redact} and, for what drivers answer, Jackson; never on
 * another package of the core. Everything that finds or calls plugins may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins;

import org.jspecify.annotations.NullMarked;
