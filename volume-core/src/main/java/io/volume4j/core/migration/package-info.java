/**
 * Sources, classes and topology of the seven kinds of storage that Kubernetes once handled itself, said in the words of the
 * CSI drivers that handle them now, and back. Pure: {@link io.volume4j.core.migration.CsiMigration} is the whole of it to
 * everybody else; there is one class for each kind of storage.
 *
 * <p>Depends on the model and on {@code VolumeSpec}; everybody who finds the plugin of a volume may depend on it.
 */
package io.volume4j.core.migration;
