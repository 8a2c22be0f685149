import org.jspecify.annotations.NullMarked;

/** A live view of nodes and controllers, in a browser and in a terminal. */
@NullMarked
module io.volume4j.ui {
    requires static transitive org.jspecify;
    requires transitive io.volume4j.core;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;

    exports io.volume4j.ui;
}
