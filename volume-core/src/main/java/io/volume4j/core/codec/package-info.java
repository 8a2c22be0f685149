/**
 * Manifests: Kubernetes-shaped YAML and JSON to and from the records of {@link io.volume4j.spi.model}.
 *
 * <p>Other packages use {@link io.volume4j.core.codec.Manifests}, and {@link io.volume4j.core.codec.PlacesText} for
 * one annotation. Reading first makes a plain tree with a position for every value ({@code ManifestText},
 * {@code TreeReader}). One small shape for each kind ({@code PodShape}, …) then makes a record of the tree; it also
 * writes the record's fields as a tree. Writing an object applies the changes to the document from which it was read
 * ({@code Overlay}), so that fields which no record models survive.
 *
 * <p>Depends on the model and on Jackson, which appears in no public signature. Does not use clusters, plugins or the
 * file system.
 */
package io.volume4j.core.codec;
