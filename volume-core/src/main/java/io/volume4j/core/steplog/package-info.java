/**
 * Logs of what becomes of steps, and of the lives of controllers. Depends on the engine and the SPI; every reconciler may depend
 * on it.
 */
package io.volume4j.core.steplog;
