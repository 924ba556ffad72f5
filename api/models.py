"""Base models of request and response bodies, and the error that every route can answer with."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class ApiRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ApiAnswer(BaseModel):
    model_config = ConfigDict(frozen=True, populate_by_name=True)


class Problem(ApiAnswer):
    code: str = Field(description="For programs.")
    message: str = Field(description="For people: what happened, and what to do next.")


class ErrorAnswer(ApiAnswer):
    error: Problem


class OpenApiDocument(BaseModel):
    model_config = ConfigDict(extra="allow")

    openapi: str
    info: dict[str, Any]
    paths: dict[str, Any]
