/**
 * The calls of a caller, its errors, and the storage that exists because of them. Depends on no other package of the
 * project.
 */
package io.volume4j.csi.driver.oracle;
