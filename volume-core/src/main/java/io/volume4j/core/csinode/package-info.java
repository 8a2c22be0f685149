/**
 * The entries of drivers in CSINode objects. Depends on the SPI, the codec and the migration. Node agents and the registrars of
 * hosts depend on it.
 */
@NullMarked
package io.volume4j.core.csinode;

import org.jspecify.annotations.NullMarked;
