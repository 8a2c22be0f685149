package io.volume4j.core;

import io.volume4j.spi.VolumeException;
import io.volume4j.spi.VolumeId;
import io.volume4j.spi.model.CsiSource;
import io.volume4j.spi.model.Quantity;
import io.volume4j.spi.model.VolumeMode;
import io.volume4j.spi.model.VolumeSource;
import io.volume4j.spi.mount.DeviceIdentity;
import io.volume4j.spi.mount.RootedPath;
import io.volume4j.spi.plugin.FormatLedger;
import io.volume4j.spi.plugin.HealthReporter.Health;
import io.volume4j.spi.plugin.PluginState;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Values of the types that records of the public API have, told apart by a number. */
final class SampleValues {
    private static final Map<Class<?>, IntFunction<Object>> KNOWN = known();

    private SampleValues() {}

    private static Map<Class<?>, IntFunction<Object>> known() {
        Map<Class<?>, IntFunction<Object>> known = new HashMap<>();
        known.put(String.class, n -> "text" + n);
        known.put(Object.class, n -> "object" + n);
        known.put(boolean.class, n -> n % 2 == 1);
        known.put(int.class, n -> 10 + n);
        known.put(long.class, n -> 10L + n);
        known.put(Long.class, n -> 10L + n);
        known.put(Integer.class, n -> 10 + n);
        known.put(Boolean.class, n -> n % 2 == 1);
        known.put(Path.class, n -> Path.of("/p" + n));
        known.put(Instant.class, Instant::ofEpochSecond);
        known.put(Duration.class, Duration::ofSeconds);
        known.put(Quantity.class, Quantity::ofBytes);
        known.put(VolumeMode.class, n -> n % 2 == 1 ? VolumeMode.BLOCK : VolumeMode.FILESYSTEM);
        known.put(
                VolumeSource.class,
                n -> CsiSource.builder("d" + n + ".example", "h").build());
        known.put(VolumeId.class, n -> VolumeId.shared("p.example", "v" + n));
        known.put(RootedPath.class, n -> RootedPath.of(Path.of("/r"), "p" + n));
        known.put(PluginState.class, n -> new PluginState(n, Map.of()));
        known.put(VolumeException.class, n -> VolumeException.transientFailure("failure " + n));
        known.put(Health.class, n -> n % 2 == 1 ? Health.well() : Health.notReported());
        known.put(FormatLedger.class, n -> new NoLedger());
        return known;
    }

    static Object of(Type type, int number) {
        Type raw = type instanceof ParameterizedType generic ? generic.getRawType() : type;
        if (raw == List.class) {
            return List.of(of(argument(type, 0), number));
        }
        if (raw == Map.class) {
            return Map.of(of(argument(type, 0), number), of(argument(type, 1), number));
        }
        if (raw == Supplier.class) {
            Object value = of(argument(type, 0), number);
            return (Supplier<Object>) () -> value;
        }
        IntFunction<Object> known = KNOWN.get(raw);
        if (known != null) {
            return known.apply(number);
        }
        if (raw instanceof Class<?> named && named.isEnum()) {
            Object[] constants = named.getEnumConstants();
            return constants[number % constants.length];
        }
        if (raw instanceof Class<?> named && named.isRecord()) {
            return record(
                    named,
                    Arrays.stream(named.getRecordComponents())
                            .map(component -> of(component.getGenericType(), number))
                            .toArray());
        }
        throw new IllegalArgumentException("SampleValues knows no value of " + type + ": add one");
    }

    static Object record(Class<?> type, Object... values) {
        Class<?>[] types = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            return type.getDeclaredConstructor(types).newInstance(values);
        } catch (InvocationTargetException refused) {
            throw new IllegalStateException(type + " refuses " + Arrays.toString(values), refused.getCause());
        } catch (ReflectiveOperationException wrong) {
            throw new IllegalStateException(type + " has no public canonical constructor", wrong);
        }
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }

    private static final class NoLedger implements FormatLedger {
        @Override
        public void begin(DeviceIdentity device, String fsType, String proof) {}

        @Override
        public @Nullable OpenFormat open() {
            return null;
        }

        @Override
        public void finish() {}
    }
}
