/**
 * The schema of Kubernetes' objects: fields, their types, and which are required, as servers publish them.
 *
 * <p>The in-memory cluster refuses what a server would refuse, and scenarios refuse fields that no object has.
 * Depends on the SPI's kinds only.
 */
@NullMarked
package io.volume4j.inmemory.schema;

import org.jspecify.annotations.NullMarked;
