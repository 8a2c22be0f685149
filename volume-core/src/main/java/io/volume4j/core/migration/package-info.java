/**
 * Translates sources, classes and topology of the seven in-tree kinds of storage to CSI drivers and back. Pure. Other
 * packages use only {@link io.volume4j.core.migration.CsiMigration} and {@code Translation}; there is one class for
 * each kind of storage.
 *
 * <p>Depends on the model and on {@code VolumeSpec}. All packages that find the plugin of a volume may depend on it.
 */
package io.volume4j.core.migration;
