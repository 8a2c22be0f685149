/**
 * Manifests: Kubernetes-shaped YAML and JSON to and from the records of {@link io.volume4j.spi.model}.
 *
 * <p>{@link io.volume4j.core.codec.Manifests} is what others use of it, and for one annotation
 * {@link io.volume4j.core.codec.PlacesText}. Inside, text becomes a plain tree with a
 * position for every value ({@code ManifestText}, {@code TreeReader}); a tree becomes a record by one small shape per
 * kind ({@code PodShape}, …), which also writes that record's fields as a tree again; and an object is written by laying
 * what changed over the document that it was read from ({@code Overlay}), so that fields which no record models survive.
 *
 * <p>Depends on the model and on Jackson, which appears in no signature that others see. Knows no cluster, no plugin and
 * no file system, and never will.
 */
package io.volume4j.core.codec;
