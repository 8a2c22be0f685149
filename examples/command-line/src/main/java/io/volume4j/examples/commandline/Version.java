package io.volume4j.examples.commandline;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the version of the build. */
final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() throws IOException {
        try (InputStream text =
                Objects.requireNonNull(Version.class.getResourceAsStream("version.txt"), "version.txt")) {
            return new String[] {
                new String(text.readAllBytes(), StandardCharsets.UTF_8).strip(),
                "Java " + Runtime.version() + ", " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
            };
        }
    }
}
