package io.volume4j.core.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.base.Preconditions;
import io.volume4j.spi.mount.MountBackend;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** JNA is optional: without it, the backend fails with a message that says what to do. */
class WithoutJnaTest {
    @Test
    void aMissingJnaIsOneLineWithAdvice() throws Exception {
        URL[] allButJna = Stream.of(LinuxMountBackend.class, MountBackend.class, Logger.class, Preconditions.class)
                .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
                .toArray(URL[]::new);
        try (URLClassLoader loader = new URLClassLoader(allButJna, null)) {
            Class<?> backend = loader.loadClass(LinuxMountBackend.class.getName());
            InvocationTargetException thrown = catchThrowableOfType(
                    InvocationTargetException.class,
                    () -> backend.getMethod("create").invoke(null));
            Throwable failure = Objects.requireNonNull(thrown.getCause());
            assertThat(failure.getClass().getSimpleName()).isEqualTo("VolumeException");
            assertThat(failure.getMessage())
                    .startsWith("the Linux mount backend needs JNA, which cannot be loaded: NoClassDefFoundError")
                    .doesNotContain("\n");
            assertThat(failure.getCause()).isNull();
            assertThat(failure.getClass().getMethod("advice").invoke(failure).toString())
                    .contains("net.java.dev.jna:jna-jpms");
        }
    }
}
