package io.volume4j.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * What GraalVM is told of reflection, native calls and resources is there, and each place in our code that needs it is known. No native
 * image is built here: docs/native-image.md says what that leaves open.
 */
class ReachabilityMetadataTest {
    private static final Path METADATA =
            Sources.ROOT.resolve("volume-core/src/main/resources/META-INF/native-image/io.volume4j/volume-core");
    private static final Pattern REFLECTIVE =
            Pattern.compile("\\b(?:Class\\.forName|Native\\.(?:load|register)|ServiceLoader\\.load"
                    + "|Proxy\\.newProxyInstance|getDeclared[A-Z]\\w+|getResource\\w*|MethodHandles\\.|readValue|treeToValue"
                    + "|valueToTree|convertValue|extends Structure|ObjectInputStream)");

    private static Set<String> names(String file) throws IOException {
        Set<String> names = new LinkedHashSet<>();
        for (JsonNode entry : new ObjectMapper().readTree(METADATA.resolve(file).toFile())) {
            assertThat(names.add(entry.required("name").asText()))
                    .as(entry + " stands twice")
                    .isTrue();
        }
        return names;
    }

    @Test
    void eachClassThatItNamesIsThere() throws Exception {
        Set<String> names = new TreeSet<>(names("reflect-config.json"));
        names.addAll(names("jni-config.json"));
        for (String name : names) {
            Class<?> found = Class.forName(name, false, getClass().getClassLoader());
            assertThat(found.getName()).isEqualTo(name);
        }
    }

    /** JNA looks at the methods of the class that it maps, and gives them to the virtual machine. */
    @Test
    void theMappedClassIsKnownToReflectionAndToNativeCalls() throws IOException {
        assertThat(names("reflect-config.json")).containsExactly("io.volume4j.core.linux.sys.LibC");
        assertThat(names("jni-config.json")).contains("io.volume4j.core.linux.sys.LibC");
    }

    @Test
    void eachResourceThatItNamesIsThere() throws IOException {
        JsonNode includes = new ObjectMapper()
                .readTree(METADATA.resolve("resource-config.json").toFile())
                .at("/resources/includes");
        assertThat(includes).hasSize(2).allSatisfy(include -> {
            String resource = include.required("pattern").asText().replace("\\", "");
            assertThat(getClass().getClassLoader().getResource(resource))
                    .as(resource)
                    .isNotNull();
        });
    }

    /** GraalVM finds providers of services by itself. A developer who adds a place here adds what it needs to the metadata, too. */
    @Test
    void noOtherPlaceOfTheLibraryReflects() throws IOException {
        Set<String> places = new TreeSet<>();
        for (String module : List.of(
                "volume-spi",
                "volume-core",
                "volume-csi",
                "volume-core/jfr",
                "volume-core/micrometer",
                "volume-core/opentelemetry",
                "volume-core/ui")) {
            for (Path file : Sources.javaFiles(Sources.ROOT.resolve(module).resolve("src/main/java"), 99)) {
                Matcher use =
                        REFLECTIVE.matcher(Files.readString(file).replaceAll("(?m)^\\s*(?:\\*|//|/\\*\\*).*$", ""));
                while (use.find()) {
                    places.add(file.getFileName() + " " + use.group());
                }
            }
        }
        assertThat(places)
                .containsExactly(
                        "Assets.java getResourceAsStream",
                        "DiscoveredPlugins.java ServiceLoader.load",
                        "LibC.java Native.register");
    }
}
