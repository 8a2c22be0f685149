package io.volume4j.core.testing;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that mounts, and so needs root with {@code CAP_SYS_ADMIN}. Elsewhere it is skipped, unless the system property
 * {@code volume4j.privileged} is {@code required}: then it fails, so that a build that should have tested the kernel
 * cannot pass without.
 */
@Documented
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(PrivilegedCondition.class)
public @interface Privileged {}
