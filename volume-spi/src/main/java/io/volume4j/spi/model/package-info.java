/**
 * API objects as volumes need them: immutable records in the shape of Kubernetes' own (see {@link
 * io.volume4j.spi.model.ApiObject}). Pure data and pure predicates over it.
 *
 * <p>Absent strings are {@code ""}, absent collections are empty, absent structures and instants are null and marked
 * so. Collections keep the order in which they were read. Fields that no record models stay in {@link
 * io.volume4j.spi.model.Unmodeled} and are written back.
 *
 * <p>Everything may depend on this package. It depends on nothing but the JDK, reads no files and knows no codec.
 */
package io.volume4j.spi.model;
