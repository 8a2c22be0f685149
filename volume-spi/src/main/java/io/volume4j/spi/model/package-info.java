/**
 * The API objects that concern volumes, as immutable records in the shape of Kubernetes (see
 * {@link io.volume4j.spi.model.ApiObject}). Pure data, and pure functions on it.
 *
 * <p>Absent strings are {@code ""} and absent collections are empty. Absent structures and instants are null, and
 * marked as nullable. Collections keep the order in which they were read. {@link io.volume4j.spi.model.Unmodeled}
 * keeps the fields that no record models; the library writes them back.
 *
 * <p>All packages may depend on this package. It depends on the JDK only, reads no files and contains no codec.
 */
package io.volume4j.spi.model;
