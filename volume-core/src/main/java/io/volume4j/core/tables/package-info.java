/**
 * Collections for millions of entries, in insertion order. Depends on no other package; every world may depend on it.
 */
package io.volume4j.core.tables;
