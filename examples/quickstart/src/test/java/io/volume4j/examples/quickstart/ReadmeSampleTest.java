package io.volume4j.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** The first code sample of the README is a whole program: it compiles as printed, and is what runs here. */
@Timeout(120)
class ReadmeSampleTest {
    private static final Path PROJECT = Path.of(System.getProperty("volume4j.root"));

    @TempDir
    Path classes;

    private static String printed() throws IOException {
        String readme = Files.readString(PROJECT.resolve("README.md"));
        int begin = readme.indexOf("```java\n") + "```java\n".length();
        return readme.substring(begin, readme.indexOf("```", begin));
    }

    @Test
    void compilesAsPrinted() throws IOException {
        String program = printed();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        JavaFileObject source =
                new SimpleJavaFileObject(URI.create("string:///FirstMount.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return program;
                    }
                };
        List<String> options =
                List.of("-d", classes.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path"));

        boolean compiled = compiler.getTask(null, null, problems, options, null, List.of(source))
                .call();

        assertThat(compiled).as("%s", problems.getDiagnostics()).isTrue();
        assertThat(classes.resolve("FirstMount.class")).exists();
    }

    @Test
    void isWhatRunsInTheQuickstart() throws IOException {
        String source = Files.readString(
                PROJECT.resolve("examples/quickstart/src/main/java/io/volume4j/examples/quickstart/FirstMount.java"));

        assertThat(source.substring(source.indexOf("import "))).isEqualTo(printed());
    }

    @Test
    @ResourceLock(Resources.SYSTEM_OUT)
    void mountsAClaimForAPod() {
        PrintStream before = System.out;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        try {
            FirstMount.main(new String[0]);
        } finally {
            System.setOut(before);
        }

        assertThat(out.toString(StandardCharsets.UTF_8)).contains("data is at /var/lib/volumes/pods/");
    }
}
