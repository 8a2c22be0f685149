/**
 * What CSINode objects say of drivers on nodes. Depends on the SPI and the codec; node agents and hosts' registrars depend on it.
 */
@NullMarked
package io.volume4j.core.csinode;

import org.jspecify.annotations.NullMarked;
