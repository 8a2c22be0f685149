package io.volume4j.csi;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import com.google.protobuf.ProtocolMessageEnum;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * GraalVM is told of every message of the schema: what looks for secrets in them goes through their fields by protobuf's reflection,
 * which calls their methods by name.
 */
class ReachabilityMetadataTest {
    private static final String PACKAGE = "io.volume4j.csi.internal.proto";
    private static final String METADATA = "/META-INF/native-image/io.volume4j/volume-csi/reflect-config.json";

    @Test
    void namesEveryMessageBuilderAndEnumAndNothingElse() throws IOException {
        Set<String> expected = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter().importPackages(PACKAGE)) {
            boolean reflected = type.isAssignableTo(Message.class)
                    || type.isAssignableTo(Message.Builder.class)
                    || type.isAssignableTo(ProtocolMessageEnum.class);
            if (reflected && !type.isInterface() && !type.isAnonymousClass()) {
                expected.add(type.getName());
            }
        }
        Set<String> named = new TreeSet<>();
        try (var metadata = Objects.requireNonNull(getClass().getResourceAsStream(METADATA), METADATA)) {
            Matcher name = Pattern.compile("\\{\"name\": \"([^\"]+)\", \"allPublicMethods\": true\\}")
                    .matcher(new String(metadata.readAllBytes(), StandardCharsets.UTF_8));
            while (name.find()) {
                named.add(name.group(1));
            }
        }
        assertThat(named).hasSizeGreaterThan(100).isEqualTo(expected);
    }
}
