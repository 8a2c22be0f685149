/**
 * The plugins of the library, and the registry that finds the plugin of a volume.
 *
 * <p>The package has the {@link io.volume4j.core.plugins.PluginRegistry}, the
 * {@link io.volume4j.core.plugins.DefaultPluginHost}, {@link io.volume4j.core.plugins.ProvenFormatAndMount}, and the
 * public class of each plugin. The plugins use the SPI only, so they run on any
 * {@link io.volume4j.spi.mount.MountBackend}.
 *
 * <p>The parts of each plugin are in its own package below this one. The module does not export these packages:
 * {@code emptydir}, {@code hostpath} (also for {@code local}), {@code image}, {@code loop}, {@code nfs}, {@code san}
 * (iSCSI and Fibre Channel), {@code flex} and {@code content}. They use {@code common}, but neither each other nor
 * this package. {@code registry} keeps secrets out of failures.
 *
 * <p>Depends on {@code io.volume4j.spi}, slf4j, {@code core.redact} and, to parse the answers of drivers, Jackson.
 * Never on another package of the core. All packages that find or call plugins may depend on it.
 */
@NullMarked
package io.volume4j.core.plugins;

import org.jspecify.annotations.NullMarked;
