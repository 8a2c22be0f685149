package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A public record with more than five components is made by its builder, so that a new component breaks no caller. A test names
 * the records that are exempt: those that only the library makes, and those that chained methods make.
 */
class RecordBuildersTest {
    private static final int FEW = 5;

    /** Hosts read these. A new component comes with a constructor as before, for tests that make one. */
    private static final List<String> READINGS = List.of(
            "io.volume4j.core.explain.Explanation$StepState",
            "io.volume4j.core.volumes.MountedPod$MountedVolume",
            "io.volume4j.core.volumes.NodeSnapshot$Actual",
            "io.volume4j.core.volumes.NodeSnapshot$Mount",
            "io.volume4j.core.volumes.ObjectTransition",
            "io.volume4j.core.volumes.TimelineEntry",
            "io.volume4j.core.volumes.VolumeUsage",
            "io.volume4j.core.worlds.AttachActualStateOfWorld$Attachment",
            "io.volume4j.core.worlds.OperationExecutor$PendingOperation",
            "io.volume4j.inmemory.cluster.ClusterWrite",
            "io.volume4j.inmemory.oracle.BeliefRecord",
            "io.volume4j.inmemory.oracle.CallRecord",
            "io.volume4j.inmemory.oracle.CallRecord$Facts",
            "io.volume4j.inmemory.plugin.BackingVolume",
            "io.volume4j.inmemory.plugin.PluginCall",
            "io.volume4j.inmemory.scenario.ScenarioResult",
            "io.volume4j.spi.host.CertificateResolver$CertificateRequest");

    /** {@code on(…)} makes them, and each method that follows a changed copy. */
    private static final List<String> CHAINED =
            List.of("io.volume4j.inmemory.cluster.ClusterFault", "io.volume4j.inmemory.fault.Fault");

    private final Map<String, Class<?>> records = records();

    @Test
    void everyLargePublicRecordHasABuilderOrIsExempt() {
        assertThat(records.keySet().stream()
                        .filter(name -> !hasBuilder(records.get(name)))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(
                        Stream.concat(READINGS.stream(), CHAINED.stream()).toList());
    }

    @Test
    void aChainBeginsWithAFactory() {
        assertThat(CHAINED)
                .allSatisfy(name -> assertThat(records.get(name).getDeclaredMethods())
                        .anyMatch(method -> method.getName().equals("on") && Modifier.isStatic(method.getModifiers())));
    }

    /** A component that the builder forgets would be lost in silence. */
    @TestFactory
    Stream<DynamicTest> aBuilderKeepsAndSetsEveryComponent() {
        return records.values().stream()
                .filter(RecordBuildersTest::hasBuilder)
                .map(record -> DynamicTest.dynamicTest(record.getName(), () -> keepsAndSets(record)));
    }

    private static void keepsAndSets(Class<?> type) throws ReflectiveOperationException {
        RecordComponent[] components = type.getRecordComponents();
        Object[] first = values(components, 1);
        Object[] second = values(components, 2);
        Object whole = SampleValues.record(type, first);
        Method toBuilder = toBuilder(type).orElseThrow();
        Class<?> builderType = toBuilder.getReturnType();

        assertThat(built(builderType, toBuilder.invoke(whole))).isEqualTo(whole);
        for (int i = 0; i < components.length; i++) {
            Object builder = toBuilder.invoke(whole);
            Object[] changed = first.clone();
            changed[i] = second[i];

            builderType
                    .getMethod(components[i].getName(), components[i].getType())
                    .invoke(builder, second[i]);

            assertThat(built(builderType, builder))
                    .as(components[i].getName())
                    .isEqualTo(SampleValues.record(type, changed));
        }
    }

    private static Object[] values(RecordComponent[] components, int number) {
        return Arrays.stream(components)
                .map(component -> SampleValues.of(component.getGenericType(), number))
                .toArray();
    }

    private static Object built(Class<?> builderType, Object builder) throws ReflectiveOperationException {
        return builderType.getMethod("build").invoke(builder);
    }

    private static boolean hasBuilder(Class<?> record) {
        return toBuilder(record).isPresent();
    }

    private static Optional<Method> toBuilder(Class<?> record) {
        return Arrays.stream(record.getDeclaredMethods())
                .filter(method -> method.getName().equals("toBuilder")
                        && Modifier.isPublic(method.getReturnType().getModifiers()))
                .findFirst();
    }

    /** The large records of the packages that modules export to everyone, by name. */
    private static Map<String, Class<?>> records() {
        Path root = Path.of(Objects.requireNonNull(System.getProperty("volume4j.root"), "volume4j.root"));
        return Stream.of("volume-spi", "volume-core", "volume-inmemory")
                .map(module -> root.resolve(module).resolve("src/main/java"))
                .flatMap(RecordBuildersTest::publicTypes)
                .flatMap(RecordBuildersTest::withNested)
                .filter(type -> type.isRecord() && type.getRecordComponents().length > FEW)
                .collect(Collectors.toMap(Class::getName, Function.identity(), (one, same) -> one, TreeMap::new));
    }

    private static Stream<Class<?>> publicTypes(Path sources) {
        return Pattern.compile("(?m)^\\s*exports ([a-z0-9.]+);")
                .matcher(read(sources.resolve("module-info.java")))
                .results()
                .map(exported -> exported.group(1))
                .flatMap(name -> files(sources.resolve(name.replace('.', '/'))).stream()
                        .filter(file -> file.endsWith(".java") && !file.equals("package-info.java"))
                        .<Class<?>>map(file -> type(name + "." + file.replace(".java", ""))))
                .filter(type -> Modifier.isPublic(type.getModifiers()));
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Stream.concat(
                Stream.of(type),
                Arrays.stream(type.getDeclaredClasses())
                        .filter(nested -> Modifier.isPublic(nested.getModifiers()))
                        .flatMap(RecordBuildersTest::withNested));
    }

    private static Class<?> type(String name) {
        try {
            return Class.forName(name, false, RecordBuildersTest.class.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new IllegalStateException(missing);
        }
    }

    private static List<String> files(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
