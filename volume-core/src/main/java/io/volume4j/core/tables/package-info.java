/**
 * Containers for worlds of millions of entries, in the order in which those came. Depends on nothing; every world may depend on
 * it.
 */
package io.volume4j.core.tables;
